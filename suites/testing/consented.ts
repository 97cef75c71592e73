import { CONSENT } from "../../fixtures/sandbox/data/environment.ts";

/** The data of a sandbox as those of a deployment that allows everything. */
export const consented = (variables: Readonly<Record<string, string>>) => ({
  ...variables,
  ...CONSENT,
  REQUEST_TIMEOUT_MS: "2000",
});
