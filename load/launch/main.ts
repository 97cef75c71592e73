import { reach } from "../../fixtures/embedded.ts";
import { readConfiguration, refuseProblems } from "../../fixtures/engine/config/configuration.ts";
import { LATEST_LOAD, makeRunFolder } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { BARE_PATHS, Client, type PathForms } from "../../fixtures/engine/http/client.ts";
import { prepareLedger } from "../../fixtures/engine/ledger/ledger-file.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { preflight } from "../../fixtures/engine/run/preflight.ts";
import {
  type Command,
  type Environment,
  type Invocation,
  print,
} from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { concludeSearch } from "../breakpoint/conclude.ts";
import { compareRuns } from "../compare/compare-runs.ts";
import { findK6 } from "../generator/binary.ts";
import { feed } from "../generator/outputs.ts";
import { withData } from "../inputs/data.ts";
import { poolsOf } from "../inputs/pools.ts";
import { referencesOf } from "../k6/templates/reference.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { renderStart } from "../results/console.ts";
import { publishResult, writeResults } from "../results/write-results.ts";
import { killedRun, readRun } from "../runs/run-file.ts";
import { exitCodeOf, reconcileRun } from "./afterwards/reconcile-run.ts";
import { execute } from "./execution.ts";
import { describeMoney, moneyCalls } from "./money-calls.ts";
import {
  EXIT_CODES,
  LOAD,
  noiseFrom,
  type Options,
  OUT,
  PREPARED,
  Profiles,
  preparedFrom,
  runFrom,
  SHAPED,
  searchFrom,
  Variables,
  Workloads,
} from "./options.ts";
import { type Plan, planOf, runOf } from "./plan.ts";
import { recordsIn } from "./records.ts";
import { removePrivate } from "./runners/manifest.ts";
import { heldFor, mergeRun, noVerdict } from "./runners/merge.ts";
import { prepareRunners, requireShareable } from "./runners/prepare.ts";
import { readRunnerLogs } from "./runners/read-logs.ts";
import { requirePermission } from "./safety/interlocks.ts";
import { learnPageSizes, prepare } from "./templates.ts";

/** The seed of the embedded sandbox: two load runs can be compared only if they have the same data. */
const SEED = 1;

/** The run id of requests that are only built. */
const DRAFT = "00000000";

const TABLES = { Workloads, Profiles, Variables, "Exit codes": EXIT_CODES };

const prepared: Command = defineCommand({
  name: "load prepare",
  about: `Reserves a run that \`k6 run\` sends without this command, or with --runners one that several machines send, and writes
what they need (load/kubernetes/README.md).`,
  takes: ["[workload]"],
  options: PREPARED,
  tables: TABLES,
  run: ({ words, values, argv, env }) =>
    loadTarget(preparedFrom(words, values), { argv: ["prepare", ...argv], env }),
});

const merge: Command = defineCommand({
  name: "load merge",
  about: "Judges what the runners of a prepared run logged, as one run.",
  takes: ["<run folder>", "[log]..."],
  options: {},
  tables: { "Exit codes": { ...EXIT_CODES, 4: "undecided, or a log is incomplete" } },
  run: ({ words: [directory = "", ...logs], env }) =>
    withTarget(env, (target) => mergeLogs(directory, logs, target)),
});

const reconcile: Command = defineCommand({
  name: "load reconcile",
  about: `Looks up what a run that was killed may have paid, and closes it in the ledger; without a folder it takes the newest
run that was killed.`,
  takes: ["[run folder]"],
  options: { out: OUT },
  tables: { "Exit codes": EXIT_CODES },
  run: ({ words: [directory], values, env }) => {
    const killed = directory ?? killedRun(values.out);
    return withTarget(env, (target) => reconcileKilled(killed, target));
  },
});

const compare: Command = defineCommand({
  name: "load compare",
  about: `Compares runs of the same load. Each is the folder of a run, or a folder of repeated runs; three or more base runs
show how much runs differ by themselves.`,
  takes: ["<base>", "<candidate>..."],
  options: {
    noise: {
      type: "string",
      default: "20",
      about: "the change in percent to take for noise if there are fewer than 3 base runs (default: 20)",
    },
  },
  tables: {
    "Exit codes": {
      0: "no candidate is worse",
      1: "a candidate is worse beyond the noise",
      2: EXIT_CODES[2],
    },
  },
  run: ({ words, values }) => compareRuns(words, noiseFrom(values.noise)),
});

const breakpoint: Command = defineCommand({
  name: "load breakpoint",
  about: `Raises the rate up to RATE in five minutes (or in DURATION), and says at which rate the deployment broke, and what
broke first.`,
  takes: ["[workload]"],
  options: LOAD,
  tables: {
    Workloads,
    Variables,
    "Exit codes": { ...EXIT_CODES, 0: "found, or it held RATE", 1: "no rate held" },
  },
  run: ({ words, values, argv, env }) =>
    loadTarget(searchFrom(words, values), { argv: ["breakpoint", ...argv], env }),
});

/** Sends a load, or prepares, merges, reconciles or compares loads. */
export const load: Command = defineCommand({
  name: "load",
  about: "Loads the deployment that .env describes, or the embedded sandbox if none is configured.",
  takes: ["[workload]"],
  options: SHAPED,
  implied: "run",
  commands: {
    breakpoint: { about: "find the rate at which the deployment breaks", command: breakpoint },
    prepare: { about: "reserve a run that other machines send", command: prepared },
    merge: { about: "judge the logs of a prepared run", command: merge },
    reconcile: { about: "look up what a run that was killed may have paid", command: reconcile },
    compare: { about: "compare runs of the same load", command: compare },
  },
  tables: TABLES,
  run: ({ words, values, ...invocation }) => loadTarget(runFrom(words, values), invocation),
});

/** Calls `use` with the configured target, or with the embedded sandbox. */
async function withTarget<T>(env: Environment, use: (target: Target) => Promise<T>): Promise<T> {
  const configuration = readConfiguration({ env });
  refuseProblems(configuration, []);
  const reached = await reach(configuration, SEED);
  try {
    return await use(reached.target);
  } finally {
    await reached.close();
  }
}

async function reconcileKilled(directory: string, target: Target): Promise<number> {
  const run = readRun(directory, target);
  prepareLedger(target);
  const { pathForms } = await preflight(target, run.runId);
  const result = await withClient(target, run.runId, pathForms, (client) =>
    reconcileRun(directory, run, target, client),
  );
  await writeResults(directory, result);
  removePrivate(run.runId);
  const published = publishResult(directory, result, new Redactor(target.secrets));
  const exitCode = published === result.exitCode ? exitCodeOf(result) : published;
  print(`Reconciled, and closed in the ledger; the exit code of this command is ${exitCode}.`);
  return exitCode;
}

async function mergeLogs(directory: string, logs: readonly string[], target: Target): Promise<number> {
  const run = readRun(directory, target);
  heldFor(directory, run, target);
  const read = readRunnerLogs(directory, run, logs, target);
  if (read.gaps.length > 0) {
    process.stderr.write(noVerdict(directory, read.gaps));
    return 4;
  }
  prepareLedger(target);
  const { pathForms } = await preflight(target, run.runId);
  const result = await withClient(target, run.runId, pathForms, (client) =>
    mergeRun(directory, run, read, target, client),
  );
  await writeResults(directory, result);
  removePrivate(run.runId);
  return publishResult(directory, result, new Redactor(target.secrets));
}

const loadTarget = (options: Options, { argv, env }: Pick<Invocation, "argv" | "env">) =>
  withTarget(env, (target) => sendLoad(options, target, ["npm run load --", ...argv].join(" ")));

async function sendLoad(options: Options, configured: Target, command: string): Promise<number | string> {
  const plan = planOf(options, configured);
  if (options.runners !== undefined) requireShareable(plan.about, options.runners);
  const { target, pools, calls } = await draftOf(plan, configured);
  if (options.dryRun) {
    const money =
      calls.length > 0 ? `This run would move money: ${describeMoney(calls)}.` : "No money will move.";
    return `${renderStart(plan.about)}${renderLeftOut(plan)}${money}`;
  }
  const k6 = await findK6({
    named: target.values.K6_PATH,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  prepareLedger(target);
  const { runId, path: directory } = makeRunFolder(options.out, LATEST_LOAD);
  const { pathForms } = await preflight(target, runId);
  process.stdout.write(`${renderStart(plan.about)}${renderLeftOut(plan)}`);
  const outputs = feed(options.outputs);
  const redactor = new Redactor([...target.secrets, ...outputs.secrets]);
  return withClient(target, runId, pathForms, async (client) => {
    const { steps, iterations } = plan.about;
    await learnPageSizes(client, steps);
    const prepared = await prepare(client, steps, pools, plan.around);
    const references = referencesOf(runId, target.values.REFERENCE_FORM);
    const execution = {
      target,
      client,
      k6,
      directory,
      run: runOf(plan, recordsIn(prepared, iterations), { runId, k6, command, runners: options.runners }),
      prepared,
      references,
      calls: moneyCalls(references, prepared, iterations, plan.client),
      outputs,
      redactor,
      planned: new Schedule(steps).requestsIn(iterations),
    };
    if (options.runners !== undefined) return await prepareRunners(execution, options.runners);
    const result = await execute(execution);
    const found = options.isSearch ? await concludeSearch(directory, result, steps) : result;
    return publishResult(directory, found, redactor);
  });
}

/** What the default workload leaves out; ends with a line break. */
function renderLeftOut({ leftOut }: Plan): string {
  return leftOut.length > 0 ? `Left out of it:\n${leftOut.map((line) => `  ${line}\n`).join("")}` : "";
}

/** Builds a load without sending it and applies the interlocks; returns it with its money calls. */
async function draftOf({ about, client: kind, data, around }: Plan, configured: Target) {
  const target = data ? withData(configured, data) : configured;
  const pools = poolsOf(target, data);
  const { workload, steps, profile, iterations } = about;
  const prepared = await withClient(target, DRAFT, BARE_PATHS, (client) =>
    prepare(client, steps, pools, around),
  );
  const references = referencesOf(DRAFT, target.values.REFERENCE_FORM);
  const calls = moneyCalls(references, prepared, iterations, kind);
  requirePermission(target, { workload, profile, prepared, calls });
  return { target, pools, prepared, calls };
}

async function withClient<T>(
  target: Target,
  runId: string,
  pathForms: PathForms,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(target, runId, { pathForms });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
