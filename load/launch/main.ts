import { reach } from "../../fixtures/embedded.ts";
import { readConfiguration, refuseProblems } from "../../fixtures/engine/config/configuration.ts";
import { LATEST_LOAD, makeRunFolder, suiteIdentity } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { BARE_PATHS, Client, type PathForms } from "../../fixtures/engine/http/client.ts";
import { prepareLedger } from "../../fixtures/engine/ledger/ledger-file.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { preflight } from "../../fixtures/engine/run/preflight.ts";
import { print, runCommand } from "../../reports/command-line/command.ts";
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
import { readRun } from "../runs/run-file.ts";
import { exitCodeOf, reconcileRun } from "./afterwards/reconcile-run.ts";
import { execute } from "./execution.ts";
import { describeMoney, moneyCalls } from "./money-calls.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { type Plan, planOf, runOf } from "./plan.ts";
import { recordsIn } from "./records.ts";
import { removePrivate } from "./runners/manifest.ts";
import { heldFor, mergeRun, noVerdict } from "./runners/merge.ts";
import type { Merge } from "./runners/options.ts";
import { prepareRunners, requireShareable } from "./runners/prepare.ts";
import { readRunnerLogs } from "./runners/read-logs.ts";
import { requirePermission } from "./safety/interlocks.ts";
import { learnPageSizes, prepare } from "./templates.ts";

/** The seed of the embedded sandbox: two load runs can be compared only if they have the same data. */
const SEED = 1;

/** The run id of requests that are only built. */
const DRAFT = "00000000";

await runCommand(load);

/** Runs `npm run load`; prints the result or the reason for its absence, and returns the exit code. */
async function load(): Promise<number> {
  const options = readOptions();
  if (options === "help") return print(usage());
  if (options === "version") return print(suiteIdentity().version);
  if ("compare" in options) return compareRuns(options.compare.runs, options.compare.noise);
  const configuration = readConfiguration();
  refuseProblems(configuration, []);
  const reached = await reach(configuration, SEED);
  try {
    const { target } = reached;
    if ("merge" in options) return await mergeLogs(options.merge, target);
    if (!("reconcile" in options)) return await loadTarget(options, target);
    return await reconcileKilled(options.reconcile, target);
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

async function mergeLogs({ directory, logs }: Merge, target: Target): Promise<number> {
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

async function loadTarget(options: Options, configured: Target): Promise<number> {
  const plan = planOf(options, configured);
  if (options.runners !== undefined) requireShareable(plan.about, options.runners);
  const { target, pools, calls } = await draftOf(plan, configured);
  if (options.dryRun) {
    const money =
      calls.length > 0 ? `This run would move money: ${describeMoney(calls)}.` : "No money will move.";
    return print(`${renderStart(plan.about)}${renderLeftOut(plan)}${money}`);
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
      run: runOf(plan, recordsIn(prepared, iterations), runId, k6, options.runners),
      prepared,
      references,
      calls: moneyCalls(references, prepared, iterations, plan.client),
      outputs,
      redactor,
      planned: new Schedule(steps).requestsIn(iterations),
    };
    if (options.runners !== undefined) return print(await prepareRunners(execution, options.runners));
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
