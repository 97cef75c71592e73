import { readCommandLine } from "../../fixtures/config/command-line.ts";
import { CommandError } from "../../reports/text/command.ts";
import { type ProfileName, profileNames } from "../k6/profiles.ts";
import { type WorkloadName, workloadNames } from "../k6/workloads.ts";

const OPTIONS = {
  profile: { type: "string", about: `shape of the load: ${profileNames.join(" or ")}` },
  out: { type: "string", about: "folder for the results of all runs (default: reports/out)" },
  "dry-run": { type: "boolean", about: "print what the run would send; send nothing" },
  help: { type: "boolean", about: "print this help" },
  version: { type: "boolean", about: "print the version" },
} as const;

const WORKLOADS: Readonly<Record<WorkloadName, string>> = {
  transfers: "transfers, some of them repeated, and lookups of them",
  transactions: "a mix of qr, card, dva and ndd",
  qr: "QR transactions",
  card: "card transactions",
  dva: "virtual-account requests",
  ndd: "NDD transactions (direct debit)",
};

/** The command line of `npm run load`, parsed. */
export interface Options {
  readonly workload: WorkloadName;
  readonly profile: ProfileName;
  readonly out: string;
  readonly dryRun: boolean;
}

/** Reads what the command line asks for: a run, or only a text. Throws a {@link CommandError} (2). */
export function readOptions(): Options | "help" | "version" {
  const { values, positionals } = readCommandLine("load", OPTIONS, 2, true);
  if (values.help) return "help";
  if (values.version) return "version";
  const [workload, ...rest] = positionals;
  if (rest.length > 0)
    throw new CommandError(2, [
      `unexpected argument${rest.length > 1 ? "s" : ""}: ${rest.join(" ")}; expected one workload; ${EXAMPLE}`,
    ]);
  return {
    workload: oneOf("workload", workload, workloadNames),
    profile: oneOf("--profile", values.profile, profileNames),
    out: values.out ?? "reports/out",
    dryRun: values["dry-run"] ?? false,
  };
}

const EXAMPLE = "for example: npm run load -- transfers --profile smoke";

function oneOf<N extends string>(what: string, given: string | undefined, names: readonly N[]): N {
  const name = names.find((known) => known === given);
  if (name) return name;
  const problem = given === undefined ? `${what} is missing` : `unknown ${what}: ${given}`;
  throw new CommandError(2, [`${problem}; expected one of ${names.join(", ")}; ${EXAMPLE}`]);
}

/** The help text. */
export function usage(): string {
  const options = Object.entries(OPTIONS).map(([name, { type, about }]) =>
    helpLine(`--${name}${type === "string" ? " <value>" : ""}`, about),
  );
  return [
    "Usage: npm run load -- <workload> --profile <profile> [options]",
    "",
    "Loads the deployment that .env describes, or the embedded sandbox if none is configured.",
    "",
    "Workloads:",
    ...workloadNames.map((name) => helpLine(name, WORKLOADS[name])),
    "",
    "Options:",
    ...options,
    "",
    "Variables:",
    helpLine("RATE", "requests per second, instead of the profile's"),
    helpLine("DURATION", "length of the run, instead of the profile's (30s, 2m)"),
    helpLine("SLO", "JSON file of service level objectives"),
    "",
    "Exit codes:",
    helpLine("0", "passed"),
    helpLine("1", "an invariant or a threshold is broken"),
    helpLine("2", "wrong usage or configuration"),
    helpLine("3", "the preflight failed, or the run is not allowed"),
    helpLine("4", "undecided: k6 was too slow, or the transfer list proved nothing"),
    helpLine("70", "the suite itself failed"),
    helpLine("130", "interrupted"),
  ].join("\n");
}

const helpLine = (name: string, about: string) => `  ${name.padEnd(20)}${about}`;
