import { parse } from "node:path";
import { CommandError } from "../../reports/command-line/command.ts";
import { FLAG, type Given, wholeNumber } from "../../reports/command-line/define-command.ts";
import { nameOfOutput, outputNames } from "../generator/outputs.ts";
import { readMix, readShape } from "../inputs/mix-and-shape.ts";
import { oneOf } from "../inputs/names.ts";
import { ARRIVALS, CLIENTS, type ProfileName, profiles } from "../k6/profiles.ts";
import { type Steps, type WorkloadName, workloads } from "../k6/requests.ts";
import { EVERYTHING } from "./everything.ts";
import { MAX_RUNNERS } from "./run-file.ts";

/** The folder below which runs write their results. */
export const OUT = {
  type: "string",
  default: "reports/out",
  about: "folder for the results of all runs (default: reports/out)",
} as const;

/** The options of a load whose shape is decided. */
export const LOAD = {
  mix: { type: "string", about: "JSON file with a workload of your own, instead of its name" },
  client: {
    type: "string",
    default: "patient",
    about: "patient, or impatient to send again up to 3 times what takes longer than 2 s",
  },
  arrivals: {
    type: "string",
    about: "constant, or poisson for requests that come at random (default: as the profile says)",
  },
  out: OUT,
  "k6-out": {
    type: "string",
    multiple: true,
    about: `k6 output that gets the metrics as well, such as json=metrics.json: ${outputNames.join(", ")}`,
  },
  "dry-run": { ...FLAG, about: "print what the run would send; send nothing" },
} as const;

/** The options of a load of any shape. */
export const SHAPED = {
  profile: { type: "string", about: "shape of the load, one of those below" },
  shape: { type: "string", about: "JSON file with a shape of your own, instead of --profile" },
  ...LOAD,
} as const;

const WORKLOADS: Readonly<Record<WorkloadName | typeof EVERYTHING, string>> = {
  everything:
    "the default: every operation that your permissions and data allow, and rejections that move no money",
  transactions: "a mix of qr, card, dva and ndd",
  transfers: "transfers, some of them repeated, and lookups of them",
  qr: "QR transactions",
  card: "card transactions",
  dva: "virtual-account requests",
  ndd: "NDD transactions (direct debit)",
  gateway: "business hours: all kinds of transactions, some transfers, and reads",
  payroll: "salary day: transfers, one in a hundred repeated, and lookups of them",
  readers: "lists only; moves no money",
  safe: "lists, link checks and requests that must be rejected; moves no money",
};

const PROFILES: Readonly<Record<ProfileName, string>> = {
  smoke: "3 virtual users for a few seconds, as a sanity check",
  average: "a constant rate for a minute",
  stress: "up to the highest rate in two steps, and down again",
  spike: "five times the rate for half a minute, then time to recover",
  soak: "a constant rate for an hour",
  breakpoint: "a ramp of five minutes up to the highest rate",
  "salary-day":
    "up to seven times the rate in ten minutes, and an hour there; a wave of lookups follows the transfers",
  "flash-sale": "twelve times the rate at once, for three minutes",
};

const VARIABLES = {
  RATE: "the highest rate of the profile, in requests per second (default 20; the whole shape is scaled)",
  DURATION: "length of the run (30s, 2m; the whole shape is scaled)",
  DATA: "JSON or CSV file of customers, plans, channels, merchants, beneficiaries and test cards",
  SLO: "JSON file of service level objectives",
};

/** What the exit codes of a load mean. */
export const EXIT_CODES = {
  0: "passed",
  1: "an invariant or a threshold is broken",
  2: "wrong usage or configuration",
  3: "the preflight failed, or the run is not allowed",
  4: "undecided: k6 was too slow, or the transfer list proved nothing",
  70: "the suite itself failed",
  130: "interrupted",
};

/** What the help of a load shows. */
export const TABLES = {
  Workloads: WORKLOADS,
  Profiles: PROFILES,
  Variables: VARIABLES,
  "Exit codes": EXIT_CODES,
};

/** The options of a load, parsed. */
export interface Options extends ReturnType<typeof optionsFrom> {
  /** How many runners the run is prepared for; absent if this command sends the load itself. */
  readonly runners?: number;
  /** Whether the run is a ramp that searches the highest rate which the target holds. */
  readonly isSearch?: boolean;
}

const EXAMPLE = "for example: npm run load -- transfers --profile smoke";

/** Parses the options of a load; throws a {@link CommandError} (2). */
export function optionsFrom([word]: readonly string[], values: Given<typeof SHAPED>["values"]) {
  const { mix, shape, arrivals, client, out } = values;
  const mixes: Readonly<Record<string, Steps | undefined>> = { [EVERYTHING]: undefined, ...workloads };
  const named = word ?? (mix === undefined ? EVERYTHING : undefined);
  const [workload, steps] = namedOrRead("workload", named, mixes, "--mix", mix, readMix);
  const [name, profile] = namedOrRead("--profile", values.profile, profiles, "--shape", shape, readShape);
  if (arrivals !== undefined && profile.model === "closed")
    throw new CommandError(2, [
      `--arrivals has no meaning in the profile ${name}, whose users wait for each response; choose another profile`,
    ]);
  const outputs = values["k6-out"] ?? [];
  // Another output would hand on the key.
  for (const output of outputs) oneOf("--k6-out", nameOfOutput(output), outputNames, EXAMPLE);
  return {
    workload,
    /** Absent for all that the target allows. */
    steps,
    profile: {
      name,
      ...profile,
      ...(arrivals && { arrivals: oneOf("--arrivals", arrivals, ARRIVALS, EXAMPLE) }),
    },
    client: oneOf("--client", client, CLIENTS, EXAMPLE),
    outputs,
    out,
    dryRun: values["dry-run"],
  };
}

/** What has a known name, or is in the file that another option gives instead; throws a {@link CommandError} (2) for both. */
function namedOrRead<T>(
  what: string,
  given: string | undefined,
  known: Readonly<Record<string, T>>,
  option: string,
  file: string | undefined,
  read: (file: string) => T,
): readonly [name: string, T] {
  if (file === undefined) {
    const name = oneOf(what, given, Object.keys(known), EXAMPLE);
    return [name, known[name] as T];
  }
  if (given !== undefined)
    throw new CommandError(2, [`${what} ${given} and ${option} ${file} are both given: keep one of them`]);
  return [parse(file).name, read(file)];
}

/** Parses `--runners`; throws a {@link CommandError} (2). */
export function runnersFrom(given: string | undefined): number {
  const runners = wholeNumber("runners", given) ?? 1;
  if (runners >= 1 && runners <= MAX_RUNNERS) return runners;
  throw new CommandError(2, [
    `--runners ${runners}: must be from 1 to ${MAX_RUNNERS}; for example: npm run load -- prepare transfers --profile average --runners 4`,
  ]);
}

/** Parses `--noise` of a comparison, as a share; throws a {@link CommandError} (2). */
export function noiseFrom(given: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(given)) return Number(given) / 100;
  throw new CommandError(2, [`--noise ${given}: must be a percentage, for example --noise 20`]);
}
