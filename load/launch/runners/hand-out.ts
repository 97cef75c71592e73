import { CommandError } from "../../../reports/text/command.ts";
import type { Probes } from "../../k6/probes.ts";
import type { Settings } from "../../k6/settings.ts";
import type { Execution } from "../execution.ts";
import { proxyOf, settingsOf } from "../settings.ts";

/** What every runner of a run gets. It holds the key, so it belongs in a Secret. */
export interface HandOut {
  readonly variables: Readonly<Record<string, string>>;
  /** By their names in the folder {@link FILES}. */
  readonly files: Readonly<Record<string, string>>;
  /** Further arguments of `k6 run`. */
  readonly args: readonly string[];
}

/** Where runners find their files. */
export const FILES = "/settings";

/** Linux takes a variable of 128 KiB at most. */
const MAX_VARIABLE = 120_000;
/** A Kubernetes Secret holds 1 MiB at most. */
const MAX_SECRET = 1_000_000;

type Planned = Pick<Execution, "target" | "run" | "prepared" | "outputs">;

/** The settings of a run for one of its runners, without its records and secrets of its own. */
export const runnerSettings = (execution: Planned, runners: number, probes?: Probes): Settings => ({
  ...settingsOf(execution, probes),
  runners,
  // A threshold of k6 ends the load if most responses are server errors.
  metrics: true,
});

/** Puts together what the runners get; throws a {@link CommandError} (2) if it is too large. */
export function handOut(execution: Planned, runners: number, probes: Probes | undefined): HandOut {
  const { target, prepared, outputs } = execution;
  const { ca, cert, key } = target.tls;
  // An archive holds no files that it did not open when it was made, so the records come in variables.
  const parts = partsOf(asciiJson(prepared.pools));
  const pool = { variables: Object.keys(parts) };
  const variables = {
    ...(outputs.args.length > 0 && outputs.environment),
    ...proxyOf(target),
    ...(ca && { SSL_CERT_FILE: `${FILES}/ca.pem` }),
    SETTINGS: asciiJson({ ...runnerSettings(execution, runners, probes), pool }),
    ...parts,
  };
  const size = Object.values(variables).reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_SECRET)
    throw new CommandError(2, [
      `the records of this run take ${Math.ceil(size / 1000)} kB, and a Kubernetes Secret holds ${MAX_SECRET / 1000} kB: name fewer records in DATA. Nothing was sent`,
    ]);
  return {
    variables,
    files: {
      ...(ca && { "ca.pem": ca }),
      // Options of the script would be part of the archive.
      ...(cert && key && { "k6.json": JSON.stringify({ tlsAuth: [{ cert, key }] }) }),
    },
    args: [...outputs.args, ...(cert && key ? ["--config", `${FILES}/k6.json`] : [])],
  };
}

/** JSON in ASCII, whose length is its size, and which may be cut anywhere. */
const asciiJson = (content: unknown) =>
  JSON.stringify(content).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function partsOf(text: string): Record<string, string> {
  const count = Math.ceil(text.length / MAX_VARIABLE);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `POOL_${index + 1}`,
      text.slice(index * MAX_VARIABLE, (index + 1) * MAX_VARIABLE),
    ]),
  );
}
