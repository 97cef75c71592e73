import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { ifDecided } from "../../fixtures/engine/http/findings.ts";
import { type Check, type Outcome, performCheck, registered } from "../../fixtures/engine/run/check.ts";
import { inParallel } from "../../fixtures/engine/run/in-parallel.ts";
import { type Run, type RunSettings, runOf } from "../../fixtures/engine/run/run.ts";
import { adviceOn, lineOf } from "../../reports/command-line/crash.ts";
import type { RunEvent } from "../../reports/events/events.ts";
import { operations } from "../../schemas/contract.ts";
import { FINAL_CHECKS } from "../every-operation/all-responses/final-looks.ts";
import { readChecklist } from "./checklist.ts";
import { PHASES, type Phase, phasesOf } from "./phases.ts";

/** What the worker sends: an event of one run, a fault of the suite, and at last that it has finished. */
export type Message =
  | { readonly runId: string; readonly event: RunEvent }
  | { readonly fault: string }
  | { readonly finished: true };

/** Checks of one phase that may run at the same time. */
const CONCURRENT_CHECKS = 24;
/** After an interrupt, the checks that still wait for a response leave the time that is left to the last look at money. */
const LONGEST_AFTER_INTERRUPT_MS = 2_000;
/** A check that takes longer hangs; settling and waiting take far less. */
const LONGEST_CHECK_MS = 15 * 60_000;

type Job = () => Promise<void>;

/** Each check runs once for every run that selects it. */
const runs: readonly RunSettings[] = workerData;

const send = (message: Message) => parentPort?.postMessage(message);
const fault = (where: string, error: unknown) =>
  send({ fault: `${where}: ${(error as Error).message ?? error}`.split("\n", 1)[0] ?? where });
process.on("uncaughtException", (error) => fault("unhandled error", error));

const checklist = readChecklist();
const phases = phasesOf(checklist);
const phaseOf = new Map(checklist.map(({ id, file }) => [id, phases.get(file)]));
const selected = new Set(runs.flatMap(({ checks }) => checks));
const files = checklist.flatMap(({ id, file }) => (selected.has(id) ? [file] : []));
for (const file of new Set(files.toSorted()))
  await import(`../${file}`).catch((error: unknown) => fault(file, error));
const interrupt = Promise.all(runs.map((settings) => runOf(settings).interrupted)).then(() =>
  sleep(LONGEST_AFTER_INTERRUPT_MS),
);
for (const phase of PHASES) {
  if (phase === "reads") await Promise.all(runs.map((settings) => settle(runOf(settings))));
  const checked = inParallel(
    CONCURRENT_CHECKS,
    [...(phase === "final" ? finalJobs() : []), ...jobsOf(phase)],
    (job) => job().catch((error: unknown) => fault("a check", error)),
  );
  await (phase === "final" ? checked : Promise.race([checked, interrupt]));
}
for (const { settings, obstacle } of runs.map(runOf))
  if (obstacle) send({ runId: settings.runId, event: { type: "problem", ...obstacle } });
send({ finished: true });

function jobsOf(phase: Phase): Job[] {
  const checks = [...registered.values()].filter(({ info }) => phaseOf.get(info.id) === phase);
  return checks.flatMap((check) =>
    runs
      .filter((settings) => settings.checks.includes(check.info.id))
      .map((settings) => () => runCheck(runOf(settings), check)),
  );
}

function finalJobs(): Job[] {
  return FINAL_CHECKS.flatMap((checkFor) =>
    runs.map((settings) => () => runFinal(runOf(settings), checkFor)),
  );
}

/** Lets what the run wrote settle; what was learned about a list when it was shorter is learned anew. */
async function settle(run: Run) {
  if (operations.some(({ id }) => run.writesFor(id) > 0)) await ifDecided(run.settling.pause());
  run.forget("list/");
}

async function runCheck(run: Run, check: Check) {
  // Checks that only compute would keep the responses of others waiting.
  await nextTurn();
  report(run, await outcomeOf(run, check));
}

async function runFinal(run: Run, checkFor: (typeof FINAL_CHECKS)[number]) {
  const check = checkFor(run);
  if (!check) return;
  const outcome = await outcomeOf(run, check);
  const isKnown = outcome.result.verdict === "pass" || run.settings.checks.includes(check.info.id);
  if (isKnown) reportCreated(run, outcome);
  else report(run, outcome);
}

/** Performs a check; one that hangs or breaks outside its body is a fault of this suite. */
async function outcomeOf(run: Run, check: Check): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`still ran after ${LONGEST_CHECK_MS / 60_000} minutes`);
    timer = setTimeout(reject, LONGEST_CHECK_MS, error);
  });
  try {
    return await Promise.race([performCheck(run, check), late]);
  } catch (error) {
    if (adviceOn(error)) run.breakOff(run.redactor.text(lineOf(error)));
    const message = run.redactor.text(`ended without a result: ${(error as Error).message ?? error}`);
    const result = { ...check.info, verdict: "suite-error", message, durationMs: 0, exchanges: [] } as const;
    return { result, observations: [], created: [] };
  } finally {
    clearTimeout(timer);
  }
}

function report(run: Run, outcome: Outcome) {
  const { runId } = run.settings;
  for (const observation of outcome.observations)
    send({ runId, event: { type: "observation", observation } });
  reportCreated(run, outcome);
  send({ runId, event: { type: "check", result: outcome.result } });
}

function reportCreated({ settings: { runId } }: Run, { created }: Outcome) {
  for (const one of created) send({ runId, event: { type: "created", created: one } });
}
