import type { LoadResult } from "./result.ts";

const TITLES: Readonly<Record<LoadResult["outcome"], string>> = {
  passed: "Passed",
  failed: "Failed",
  undecided: "Undecided",
  interrupted: "Interrupted",
  error: "Error",
};

/** Says the outcome of a run in a few words: `Failed under load`. */
export const titleOf = ({ outcome }: Pick<LoadResult, "outcome">): string => `${TITLES[outcome]} under load`;

/** Names the deployment as its operator does, with its version: `payments staging 2.4`. */
export const targetOf = ({ target }: Pick<LoadResult, "target">): string =>
  [target.name, target.version].filter((part) => part !== undefined).join(" ") || target.baseUrl;
