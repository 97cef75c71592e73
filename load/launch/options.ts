import { CommandError } from "../../reports/command-line/command.ts";
import { FLAG, HELP, helpText, readCommandLine, VERSION } from "../../reports/command-line/define-command.ts";
import { nameOfOutput, outputNames } from "../generator/outputs.ts";
import { oneOf } from "../inputs/names.ts";
import { CLIENTS, type ClientName } from "../k6/client.ts";
import { ARRIVALS, type Arrivals, type ProfileName, profileNames, profiles } from "../k6/traffic/profiles.ts";
import { type WorkloadName, workloadNames } from "../k6/traffic/workloads.ts";
import { killedRun } from "../runs/run-file.ts";
import { EVERYTHING } from "./everything.ts";
import { type Merge, mergeFrom, refuseRunners, runnersFrom } from "./runners/options.ts";

const OPTIONS = {
  profile: { type: "string", about: "shape of the load, one of those below" },
  mix: { type: "string", about: "JSON file with a workload of your own, instead of its name" },
  shape: { type: "string", about: "JSON file with a shape of your own, instead of --profile" },
  arrivals: {
    type: "string",
    about: "constant, or poisson for requests that come at random (default: as the profile says)",
  },
  client: {
    type: "string",
    default: "patient",
    about: "patient, or impatient to send again up to 3 times what takes longer than 2 s",
  },
  out: {
    type: "string",
    default: "reports/out",
    about: "folder for the results of all runs (default: reports/out)",
  },
  "k6-out": {
    type: "string",
    multiple: true,
    about: `k6 output that gets the metrics as well, such as json=metrics.json: ${outputNames.join(", ")}`,
  },
  runners: { type: "string", about: "of prepare: how many processes of k6 share the run (default: 1)" },
  noise: {
    type: "string",
    default: "20",
    about:
      "of compare: the change in percent to take for noise if there are fewer than 3 base runs (default: 20)",
  },
  "dry-run": { ...FLAG, about: "print what the run would send; send nothing" },
  help: HELP,
  version: VERSION,
} as const;

const Workloads: Readonly<Record<WorkloadName | typeof EVERYTHING, string>> = {
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

const Profiles: Readonly<Record<ProfileName, string>> = {
  smoke: "three users for some seconds: does everything work",
  average: "a constant rate for a minute",
  stress: "up to the highest rate in two steps, and down again",
  spike: "five times the rate for half a minute, then time to recover",
  soak: "a constant rate for an hour",
  breakpoint: "a ramp of five minutes up to the highest rate",
  "salary-day":
    "up to seven times the rate in ten minutes, and an hour there; a wave of lookups follows the transfers",
  "flash-sale": "twelve times the rate at once, for three minutes",
};

const Variables = {
  RATE: "the highest rate of the profile, in requests per second (default 20; the whole shape is scaled)",
  DURATION: "length of the run (30s, 2m; the whole shape is scaled)",
  DATA: "JSON or CSV file of customers, plans, channels, merchants, beneficiaries and test cards",
  SLO: "JSON file of service level objectives",
};

const EXIT_CODES = {
  0: "passed; of compare: no candidate is worse; of breakpoint: found, or it held RATE",
  1: "an invariant or a threshold is broken; of compare: a candidate is worse beyond the noise; of breakpoint: no rate held",
  2: "wrong usage or configuration",
  3: "the preflight failed, or the run is not allowed",
  4: "undecided: k6 was too slow, or the transfer list proved nothing; of merge: a log is incomplete",
  70: "the suite itself failed",
  130: "interrupted",
};

export const usage = () =>
  helpText(
    "load -- [workload] --profile <profile> [options]",
    `Loads the deployment that .env describes, or the embedded sandbox if none is configured.
After a run that was killed, \`npm run load -- reconcile <run folder>\` looks up what it may have paid, and closes it in the
ledger; without a folder it takes the newest run that was killed.
\`npm run load -- compare <base> <candidate>...\` compares runs of the same load. Each is the folder of a run, or a folder of
repeated runs; three or more base runs show how much runs differ by themselves.
\`npm run load -- breakpoint <workload>\` raises the rate up to RATE in five minutes (or in DURATION), and says at which rate the
deployment broke, and what broke first.
\`npm run load -- prepare <workload> --profile <profile>\` reserves a run that \`k6 run\` sends without this command, or with
--runners one that several machines send, and writes what they need; \`npm run load -- merge <run folder> <log>...\` judges what
they logged as one run (load/kubernetes/README.md).`,
    OPTIONS,
    { Workloads, Profiles, Variables, "Exit codes": EXIT_CODES },
  );

/** A file of the operator's own, where a name is expected otherwise. */
interface OwnFile {
  readonly file: string;
}

/** Folders of runs that are to be compared, and the share of change that is taken for noise. */
interface Comparison {
  readonly compare: { readonly runs: readonly string[]; readonly noise: number };
}

/** What a run of `npm run load` is to be. */
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

/** Reads what the command line asks for: a run, or only a text. Throws a {@link CommandError} (2). */
export function readOptions():
  | Options
  | { readonly reconcile: string }
  | Comparison
  | { readonly merge: Merge }
  | "help"
  | "version" {
  const { values, positionals } = readCommandLine("load", OPTIONS, { allowPositionals: true });
  if (values.help) return "help";
  if (values.version) return "version";
  const [workload, ...rest] = positionals;
  if (workload === "reconcile" && rest.length < 2) return { reconcile: rest[0] ?? killedRun(values.out) };
  if (workload === "compare") return { compare: { runs: rest, noise: percentOf(values.noise) / 100 } };
  if (workload === "merge") return { merge: mergeFrom(rest) };
  if (workload === "prepare")
    return { ...runFrom(orDefault(rest, values), values), runners: runnersFrom(values.runners) };
  refuseRunners(values.runners);
  if (workload === "breakpoint") return { ...searchFrom(rest, values), isSearch: true };
  return runFrom(orDefault(positionals, values), values);
}

function orDefault(words: readonly string[], { mix }: Values): readonly string[] {
  return words.length === 0 && mix === undefined ? [EVERYTHING] : words;
}

function runFrom([workload, ...rest]: readonly string[], values: Values): Options {
  if (rest.length > 0)
    throw new CommandError(2, [
      `unexpected argument${rest.length > 1 ? "s" : ""}: ${rest.join(" ")}; expected one workload; ${EXAMPLE}`,
    ]);
  return {
    workload: nameOrFile("workload", workload, [EVERYTHING, ...workloadNames], "--mix", values.mix),
    ...shapeFrom(values),
    client: oneOf("--client", values.client, CLIENTS, EXAMPLE),
    outputs: (values["k6-out"] ?? []).map(knownOutput),
    out: values.out,
    dryRun: values["dry-run"],
  };
}

/** A search names no shape: it is a ramp. */
function searchFrom(words: readonly string[], values: Values): Options {
  if (values.profile ?? values.shape)
    throw new CommandError(2, [
      "breakpoint has a shape of its own: leave out --profile and --shape, and set RATE to the highest rate to try",
    ]);
  return runFrom(words, { ...values, profile: "breakpoint" });
}

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

type Values = ReturnType<typeof readCommandLine<typeof OPTIONS>>["values"];

function percentOf(given: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(given)) return Number(given);
  throw new CommandError(2, [`--noise ${given}: must be a percentage, for example --noise 20`]);
}

const EXAMPLE = "for example: npm run load -- transfers --profile smoke";
