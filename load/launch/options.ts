import { CommandError } from "../../reports/command-line/command.ts";
import { FLAG, type Given, wholeNumber } from "../../reports/command-line/define-command.ts";
import { nameOfOutput, outputNames } from "../generator/outputs.ts";
import { oneOf } from "../inputs/names.ts";
import { CLIENTS, type ClientName } from "../k6/client.ts";
import { ARRIVALS, type Arrivals, type ProfileName, profileNames, profiles } from "../k6/traffic/profiles.ts";
import { type WorkloadName, workloadNames } from "../k6/traffic/workloads.ts";
import { MAX_RUNNERS } from "../runs/run-file.ts";
import { EVERYTHING } from "./everything.ts";

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

/** The options of a load that is prepared for other machines. */
export const PREPARED = {
  ...SHAPED,
  runners: { type: "string", about: "number of k6 processes that share the run (default: 1)" },
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

/** A file of the operator's own, where a name is expected otherwise. */
interface OwnFile {
  readonly file: string;
}

/** The options of a load run. */
export interface Options {
  readonly workload: WorkloadName | typeof EVERYTHING | OwnFile;
  readonly profile: ProfileName | OwnFile;
  readonly arrivals: Arrivals | undefined;
  readonly client: ClientName;
  /** Outputs of k6, as its own option --out takes them. */
  readonly outputs: readonly string[];
  readonly out: string;
  readonly dryRun: boolean;
  /** How many runners the run is prepared for; absent if this command sends the load itself. */
  readonly runners?: number;
  /** Whether the run is a ramp that searches the highest rate which the target holds. */
  readonly isSearch?: boolean;
}

/** The options of `load prepare`, parsed; throws a {@link CommandError} (2). */
export function preparedFrom(words: readonly string[], values: Given<typeof PREPARED>["values"]): Options {
  const runners = wholeNumber("runners", values.runners) ?? 1;
  if (runners >= 1 && runners <= MAX_RUNNERS) return { ...runFrom(words, values), runners };
  throw new CommandError(2, [
    `--runners ${runners}: must be from 1 to ${MAX_RUNNERS}; for example: npm run load -- prepare transfers --profile average --runners 4`,
  ]);
}

/** The options of a load, parsed; throws a {@link CommandError} (2). */
export function runFrom([workload]: readonly string[], values: Values): Options {
  const named = workload ?? (values.mix === undefined ? EVERYTHING : undefined);
  return {
    workload: nameOrFile("workload", named, [EVERYTHING, ...workloadNames], "--mix", values.mix),
    ...shapeFrom(values),
    client: oneOf("--client", values.client, CLIENTS, EXAMPLE),
    outputs: (values["k6-out"] ?? []).map(knownOutput),
    out: values.out,
    dryRun: values["dry-run"],
  };
}

/** The options of `load breakpoint`, which has a shape of its own. */
export const searchFrom = (words: readonly string[], values: Given<typeof LOAD>["values"]): Options => ({
  ...runFrom(words, { ...values, profile: "breakpoint" }),
  isSearch: true,
});

function shapeFrom({ profile: name, shape, arrivals: given }: Values): Pick<Options, "profile" | "arrivals"> {
  const profile = nameOrFile("--profile", name, profileNames, "--shape", shape);
  if (given === undefined) return { profile, arrivals: undefined };
  const arrivals = oneOf("--arrivals", given, ARRIVALS, EXAMPLE);
  if (typeof profile === "string" && profiles[profile].model === "closed")
    throw new CommandError(2, [
      `--arrivals has no meaning in the profile ${profile}, whose users wait for each response; choose another profile`,
    ]);
  return { profile, arrivals };
}

/** Throws a {@link CommandError} (2) if k6 has no such output, or if it would hand on the key. */
function knownOutput(output: string): string {
  oneOf("--k6-out", nameOfOutput(output), outputNames, EXAMPLE);
  return output;
}

/** A known name, or the file that another option gives instead; throws a {@link CommandError} (2) for both. */
function nameOrFile<N extends string>(
  what: string,
  given: string | undefined,
  names: readonly N[],
  option: string,
  file: string | undefined,
): N | OwnFile {
  if (file === undefined) return oneOf(what, given, names, EXAMPLE);
  if (given !== undefined)
    throw new CommandError(2, [`${what} ${given} and ${option} ${file} are both given: keep one of them`]);
  return { file };
}

type Values = Given<typeof SHAPED>["values"];

/** The option of a comparison. */
export const NOISE = {
  type: "string",
  default: "20",
  about: "the change in percent to take for noise if there are fewer than 3 base runs (default: 20)",
} as const;

/** The value of `--noise`, as a share; throws a {@link CommandError} (2). */
export function noiseFrom(given: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(given)) return Number(given) / 100;
  throw new CommandError(2, [`--noise ${given}: must be a percentage, for example --noise 20`]);
}

const EXAMPLE = "for example: npm run load -- transfers --profile smoke";
