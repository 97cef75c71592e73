import { randomInt } from "node:crypto";
import { readCommandLine, wholeNumber } from "../../fixtures/config/command-line.ts";
import { CommandError } from "../../reports/text/command.ts";
import type { Command } from "../../reports/verdicts/outcome.ts";

const OPTIONS = {
  out: { type: "string", about: "folder for the runs (default reports/out)" },
  only: {
    type: "string",
    multiple: true,
    about: "run only these checks: an operation, a check, or a pattern like 'createTransfer/*'",
  },
  list: { type: "boolean", about: "list the checks; sends nothing" },
  "dry-run": {
    type: "boolean",
    about: "show what would be sent and what the configuration lacks; sends nothing",
  },
  seed: { type: "string", about: "seed of the generated data, a whole number (default: random)" },
  strict: { type: "boolean", about: "gate: exit with 4 for every MUST check that is not decided" },
  hardened: { type: "boolean", about: "treat critical warnings as failures" },
  "probe-writes": { type: "boolean", about: "also send probes that may leave further records behind" },
  "max-minutes": { type: "string", about: "start no more checks after this many minutes" },
  sandbox: { type: "boolean", about: "test the embedded sandbox" },
  help: { type: "boolean", about: "show this help" },
  version: { type: "boolean", about: "show the version" },
} as const;

/** The options of `certify` and `gate`, parsed. */
export interface Options {
  readonly out: string;
  readonly only: readonly string[];
  readonly list: boolean;
  readonly dryRun: boolean;
  readonly seed: number;
  readonly strict: boolean;
  readonly hardened: boolean;
  readonly probeWrites: boolean;
  readonly maxMinutes: number | undefined;
  readonly sandbox: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** Reads the command line after the command's own name; throws a {@link CommandError} (2). */
export function readOptions(command: Command): Options {
  const { values } = readCommandLine(command, OPTIONS, 3);
  return {
    out: values.out ?? "reports/out",
    only: values.only ?? [],
    list: values.list ?? false,
    dryRun: values["dry-run"] ?? false,
    seed: wholeNumber("seed", values.seed) ?? randomInt(1_000_000),
    strict: values.strict ?? false,
    hardened: values.hardened ?? false,
    probeWrites: values["probe-writes"] ?? false,
    maxMinutes: minutes(values["max-minutes"]),
    sandbox: values.sandbox ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

function minutes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!(Number(value) > 0))
    throw new CommandError(2, [`--max-minutes ${value}: must be a number greater than 0`]);
  return Number(value);
}

/** The help text of a command. */
export function usage(command: Command): string {
  const options = Object.entries(OPTIONS).map(([name, { type, about }]) => {
    const option = `--${name}${type === "string" ? " <value>" : ""}`;
    return `  ${option.padEnd(24)}${about}`;
  });
  return [
    `npm run ${command} -- [options]`,
    command === "gate"
      ? "Tests a deployment and says by its exit code whether it may be released. Needs BASE_URL or --sandbox."
      : "Tests the deployment that .env describes, or the embedded sandbox if no deployment is configured.",
    "",
    ...options,
    "",
    "Exit codes: 0 conformant, 1 not conformant, 2 usage or configuration error, 3 preflight failed or run refused,",
    "4 not fully verified, 5 stale waiver, 70 defect of this suite, 130 interrupted.",
  ].join("\n");
}
