import { CommandError, readCommandLine } from "../../fixtures/config/command-line.ts";
import { type ProfileName, profileNames } from "../k6/profiles.ts";
import { type WorkloadName, workloadNames } from "../k6/workloads.ts";

const OPTIONS = {
  profile: { type: "string", about: `shape of the load: ${profileNames.join(", ")}` },
  out: { type: "string", about: "folder for the runs (reports/out)" },
  "dry-run": { type: "boolean", about: "print what would be sent; send nothing" },
  help: { type: "boolean", about: "print this" },
  version: { type: "boolean", about: "print the version" },
} as const;

/** The command line of `npm run load`, parsed. */
export interface Options {
  readonly workload: WorkloadName;
  readonly profile: ProfileName;
  readonly out: string;
  readonly dryRun: boolean;
}

/** What the command line asks for: a run, or only a text. Throws a {@link CommandError} (2). */
export function readOptions(): Options | "help" | "version" {
  const { values, positionals } = readCommandLine("load", OPTIONS, 2, true);
  if (values.help) return "help";
  if (values.version) return "version";
  const [workload, ...rest] = positionals;
  if (rest.length > 0) throw new CommandError(2, [`one workload at a time: ${rest.join(" ")} is too much`]);
  return {
    workload: oneOf("workload", workload, workloadNames),
    profile: oneOf("--profile", values.profile, profileNames),
    out: values.out ?? "reports/out",
    dryRun: values["dry-run"] ?? false,
  };
}

function oneOf<N extends string>(what: string, given: string | undefined, names: readonly N[]): N {
  const name = names.find((known) => known === given);
  if (name) return name;
  const problem = given === undefined ? `${what} is missing` : `${what} ${given} is unknown`;
  throw new CommandError(2, [
    `${problem}: it is one of ${names.join(", ")}, as in npm run load -- transfers --profile smoke`,
  ]);
}

/** The help text. */
export function usage(): string {
  const options = Object.entries(OPTIONS).map(
    ([name, { type, about }]) => `  ${`--${name}${type === "string" ? " <value>" : ""}`.padEnd(20)}${about}`,
  );
  return [
    "npm run load -- <workload> --profile <profile> [options]",
    "Loads the deployment that .env describes, or the embedded sandbox where nothing is configured.",
    "",
    `  ${"<workload>".padEnd(20)}${workloadNames.join(", ")}`,
    ...options,
    "",
    "RATE (requests per second) and DURATION (30s, 2m) scale a profile; SLO names a file of objectives.",
    "",
    "Exit codes: 0 passed, 1 an invariant or a threshold broken, 2 usage or configuration, 3 preflight failed",
    "or refused, 4 undecided, 70 the suite itself broke, 130 interrupted.",
  ].join("\n");
}
