import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../reports/text/command.ts";
import {
  FLAG,
  HELP,
  helpText,
  readCommandLine,
  VERSION,
  wholeNumber,
} from "../../reports/text/command-line.ts";
import { type Duel, duelOf } from "../compare/duel.ts";
import { profileNames } from "../k6/profiles.ts";
import { type WorkloadName, workloadNames } from "../k6/workloads.ts";
import { RESULT } from "../results/result.ts";

const OPTIONS = {
  profile: { type: "string", about: `shape of the load: ${profileNames.join(" or ")}` },
  out: {
    type: "string",
    default: "reports/out",
    about: "folder for the results of all runs (default: reports/out)",
  },
  a: { type: "string", about: "of duel: the env file of the deployment to compare with" },
  b: { type: "string", about: "of duel: the env file of the other deployment" },
  rounds: {
    type: "string",
    default: "5",
    about: "of duel: how often each deployment is loaded (default: 5)",
  },
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

const Workloads: Readonly<Record<WorkloadName, string>> = {
  transfers: "transfers, some of them repeated, and lookups of them",
  transactions: "a mix of qr, card, dva and ndd",
  qr: "QR transactions",
  card: "card transactions",
  dva: "virtual-account requests",
  ndd: "NDD transactions (direct debit)",
};

const Variables = {
  RATE: "requests per second, instead of the profile's",
  DURATION: "length of the run, instead of the profile's (30s, 2m)",
  SLO: "JSON file of service level objectives",
};

const EXIT_CODES = {
  0: "passed; of compare: no candidate is worse",
  1: "an invariant or a threshold is broken; of compare: a candidate is worse beyond the noise",
  2: "wrong usage or configuration",
  3: "the preflight failed, or the run is not allowed",
  4: "undecided: k6 was too slow, or the transfer list proved nothing",
  70: "the suite itself failed",
  130: "interrupted",
};

export const usage = () =>
  helpText(
    "load -- <workload> --profile <profile> [options]",
    `Loads the deployment that .env describes, or the embedded sandbox if none is configured.
After a run that was killed, \`npm run load -- reconcile <run folder>\` looks up what it may have paid, and closes it in the
ledger; without a folder it takes the newest run that was killed.
\`npm run load -- compare <base> <candidate>...\` compares runs of the same load. Each is the folder of a run, or a folder of
repeated runs; three or more base runs show how much runs differ by themselves.
\`npm run load -- duel <workload> --profile <profile> --a <env file> --b <env file>\` loads two deployments in turns and
compares them.`,
    OPTIONS,
    { Workloads, Variables, "Exit codes": EXIT_CODES },
  );

/** What a run of `npm run load` is to be. */
export type Options = Extract<ReturnType<typeof readOptions>, { readonly workload: WorkloadName }>;

/** Reads what the command line asks for: a run, or only a text. Throws a {@link CommandError} (2). */
export function readOptions() {
  const { values, positionals } = readCommandLine("load", OPTIONS, { allowPositionals: true });
  if (values.help) return "help";
  if (values.version) return "version";
  const [workload, ...rest] = positionals;
  if (workload === "reconcile" && rest.length < 2) return { reconcile: rest[0] ?? killedRun(values.out) };
  if (workload === "compare") return { compare: { runs: rest, noise: percentOf(values.noise) / 100 } };
  if (workload === "duel") return { duel: duelFrom(rest, values) };
  if (rest.length > 0)
    throw new CommandError(2, [
      `unexpected argument${rest.length > 1 ? "s" : ""}: ${rest.join(" ")}; expected one workload; ${EXAMPLE}`,
    ]);
  return {
    workload: oneOf("workload", workload, workloadNames),
    profile: oneOf("--profile", values.profile, profileNames),
    out: values.out,
    dryRun: values["dry-run"],
  };
}

/** The newest load run that left no result: its command was killed. */
function killedRun(out: string): string {
  const runs = existsSync(out) ? readdirSync(out).toSorted().reverse() : [];
  const has = (run: string, file: string) => existsSync(join(out, run, file));
  const killed = runs.find((run) => has(run, "run.json") && !has(run, RESULT));
  if (killed !== undefined) return join(out, killed);
  throw new CommandError(2, [
    `no load run below ${out} was killed; to look up another one, name its folder: npm run load -- reconcile <run folder>`,
  ]);
}

function duelFrom([workload]: readonly string[], { profile, rounds, noise, out, a, b }: Values): Duel {
  return duelOf({
    workload: oneOf("workload", workload, workloadNames),
    profile: oneOf("--profile", profile, profileNames),
    rounds: Math.max(1, wholeNumber("rounds", rounds) ?? 1),
    noise: percentOf(noise) / 100,
    out,
    ...(a !== undefined && { a }),
    ...(b !== undefined && { b }),
  });
}

type Values = ReturnType<typeof readCommandLine<typeof OPTIONS>>["values"];

function percentOf(given: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(given)) return Number(given);
  throw new CommandError(2, [`--noise ${given}: must be a percentage, for example --noise 20`]);
}

const EXAMPLE = "for example: npm run load -- transfers --profile smoke";

function oneOf<N extends string>(what: string, given: string | undefined, names: readonly N[]): N {
  const name = names.find((known) => known === given);
  if (name) return name;
  const problem = given === undefined ? `${what} is missing` : `unknown ${what}: ${given}`;
  throw new CommandError(2, [`${problem}; expected one of ${names.join(", ")}; ${EXAMPLE}`]);
}
