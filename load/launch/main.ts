import { reach } from "../../fixtures/embedded.ts";
import { readConfiguration, refuseProblems } from "../../fixtures/engine/config/configuration.ts";
import { LATEST_LOAD, makeRunFolder } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { Client } from "../../fixtures/engine/http/client.ts";
import { prepareLedger } from "../../fixtures/engine/ledger/ledger-file.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { preflight } from "../../fixtures/engine/run/preflight.ts";
import type { Command, Environment } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { concludeSearch } from "../breakpoint/conclude.ts";
import { compareRuns } from "../compare/compare-runs.ts";
import { findK6 } from "../generator/binary.ts";
import { outputConfigOf } from "../generator/outputs.ts";
import { renderStart } from "../results/console.ts";
import type { LoadResult, LoadRun } from "../results/result.ts";
import { publishResult, writeResults } from "../results/write-results.ts";
import { describeMoney } from "./money.ts";
import {
  EXIT_CODES,
  LOAD,
  noiseFrom,
  type Options,
  OUT,
  optionsFrom,
  runnersFrom,
  SHAPED,
  TABLES,
} from "./options.ts";
import { permittedCalls, planOf, requestsOf, runOf } from "./plan.ts";
import { finishKilledRun, runLoad } from "./run.ts";
import { killedRun, readRun } from "./run-file.ts";
import { removePrivate } from "./runners/manifest.ts";
import { mergeLogs } from "./runners/merge.ts";
import { prepareRunners, requireShareable } from "./runners/prepare.ts";
import { learnPageSizes } from "./templates.ts";

const prepared: Command = defineCommand({
  name: "load prepare",
  about: `Reserves a run that \`k6 run\` sends without this command, or with --runners one that several machines send, and writes
what they need (load/kubernetes/README.md).`,
  takes: ["[workload]"],
  options: {
    ...SHAPED,
    runners: { type: "string", about: "number of k6 processes that share the run (default: 1)" },
  },
  tables: TABLES,
  run: ({ words, values, argv, env }) => {
    const runners = runnersFrom(values.runners);
    return loadTarget({ ...optionsFrom(words, values), runners }, ["prepare", ...argv], env);
  },
});

const merge: Command = defineCommand({
  name: "load merge",
  about: "Judges what the runners of a prepared run logged, as one run.",
  takes: ["<run folder>", "[log]..."],
  options: {},
  tables: { "Exit codes": { ...EXIT_CODES, 4: "undecided, or a log is incomplete" } },
  run: ({ words: [directory = "", ...logs], env, stderr }) =>
    withTarget(env, async (target) => {
      const run = readRun(directory, target);
      const { gaps, finish } = mergeLogs(directory, run, logs, target);
      if (gaps.length > 0) {
        stderr.write(
          `${gaps.join("\n")}\nThere is no verdict: it needs the whole log of every runner. Nothing was sent, and the ledger still holds all payments of the run. With whole logs, merge again. Otherwise look up what was paid: npm run load -- reconcile ${directory}\n`,
        );
        return 4;
      }
      return (await finishLater(directory, run, target, finish)).exitCode;
    }),
});

const reconcile: Command = defineCommand({
  name: "load reconcile",
  about: `Looks up what a run that was killed may have paid, and closes it in the ledger; without a folder it takes the newest
run that was killed.`,
  takes: ["[run folder]"],
  options: { out: OUT },
  tables: { "Exit codes": EXIT_CODES },
  run: ({ words: [named], values, env, stdout }) => {
    const directory = named ?? killedRun(values.out);
    return withTarget(env, async (target) => {
      const run = readRun(directory, target);
      const finish = (client: Client) => finishKilledRun(directory, run, client);
      const { result, exitCode: published } = await finishLater(directory, run, target, finish);
      const has = (state: string) => result.invariants.some((one) => one.state === state);
      const found = has("broken") ? 1 : has("undecided") ? 4 : 0;
      // The run itself stays interrupted.
      const exitCode = published === result.exitCode ? found : published;
      stdout.write(`Reconciled, and closed in the ledger; the exit code of this command is ${exitCode}.\n`);
      return exitCode;
    });
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
  run: ({ words, values, ...invocation }) => compareRuns(words, noiseFrom(values.noise), invocation),
});

const breakpoint: Command = defineCommand({
  name: "load breakpoint",
  about: `Raises the rate up to RATE in five minutes (or in DURATION), and says at which rate the deployment broke, and what
broke first.`,
  takes: ["[workload]"],
  options: LOAD,
  tables: {
    Workloads: TABLES.Workloads,
    Variables: TABLES.Variables,
    "Exit codes": { ...EXIT_CODES, 0: "found, or it held RATE", 1: "no rate held" },
  },
  run: ({ words, values, argv, env }) => {
    const options = optionsFrom(words, { ...values, profile: "breakpoint" });
    return loadTarget({ ...options, isSearch: true }, ["breakpoint", ...argv], env);
  },
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
  run: ({ words, values, argv, env }) => loadTarget(optionsFrom(words, values), argv, env),
});

/** The seed of the embedded sandbox: two load runs can be compared only if they have the same data. */
const SEED = 1;

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

/** Uses a client of a run, after the preflight has found that the target can be tested. */
async function withClient<T>(target: Target, runId: string, use: (client: Client) => Promise<T>): Promise<T> {
  const { pathForms } = await preflight(target, runId);
  const client = new Client(target, runId, { pathForms });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Finishes a run whose load this process did not send, and publishes its result. */
async function finishLater(
  directory: string,
  { runId }: LoadRun,
  target: Target,
  finish: (client: Client) => Promise<LoadResult>,
) {
  prepareLedger(target);
  const result = await withClient(target, runId, finish);
  await writeResults(directory, result);
  removePrivate(runId);
  return { result, exitCode: publishResult(directory, result, new Redactor(target.secrets)) };
}

const loadTarget = (options: Options, argv: readonly string[], env: Environment) =>
  withTarget(env, (target) => planAndRun(options, target, env, ["npm run load --", ...argv].join(" ")));

/** Plans a load, and sends it or prepares it for others; returns the exit code, or what to print. */
async function planAndRun(
  options: Options,
  configured: Target,
  env: Environment,
  command: string,
): Promise<number | string> {
  const { runners } = options;
  const plan = planOf(options, configured);
  if (runners !== undefined) requireShareable(plan.about, runners);
  const { target, leftOut } = plan;
  const calls = await permittedCalls(plan);
  const without = leftOut.length > 0 ? ["Left out of it:", ...leftOut.map((line) => `  ${line}`), ""] : [];
  const about = renderStart(plan.about) + without.join("\n");
  if (options.dryRun)
    return `${about}${calls.length > 0 ? `This run would move money: ${describeMoney(calls)}.` : "No money will move."}`;
  const k6 = await findK6({
    named: target.values.K6_PATH,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  prepareLedger(target);
  const { runId, path: directory } = makeRunFolder(options.out, LATEST_LOAD);
  const outputs = outputConfigOf(options.outputs, env);
  const redactor = new Redactor([...target.secrets, ...outputs.secrets]);
  return withClient(target, runId, async (client) => {
    process.stdout.write(about);
    await learnPageSizes(client, plan.about.steps);
    const requests = await requestsOf(plan, client);
    const run = runOf(plan, requests.prepared, { runId, k6, command, ...(runners && { runners }) });
    const ready = { client, kind: plan.kind, k6, directory, run, ...requests, outputs, redactor };
    if (runners !== undefined) return prepareRunners(ready);
    const result = await runLoad(ready);
    const found = options.isSearch ? await concludeSearch(directory, result, plan.about.steps) : result;
    return publishResult(directory, found, redactor);
  });
}
