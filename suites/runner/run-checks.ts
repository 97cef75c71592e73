import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { ifDecided } from "../../fixtures/engine/http/findings.ts";
import { ledgerPathOf } from "../../fixtures/engine/ledger/ledger-file.ts";
import { type Check, type Outcome, performCheck, registered } from "../../fixtures/engine/run/check.ts";
import { inParallel } from "../../fixtures/engine/run/in-parallel.ts";
import type { Preflight } from "../../fixtures/engine/run/preflight.ts";
import type { Run, RunSettings } from "../../fixtures/engine/run/run.ts";
import { adviceOn, lineOf } from "../../reports/command-line/crash.ts";
import type { RunEvent } from "../../reports/events/events.ts";
import type { CheckResult } from "../../reports/verdicts/verdict.ts";
import { operations } from "../../schemas/contract.ts";
import { FINAL_CHECKS } from "../every-operation/all-responses/final-looks.ts";
import { type Listed, readChecklist } from "./checklist.ts";
import { PHASES, phasesOf } from "./phases.ts";
import type { Plan } from "./plan.ts";

/** Checks of one phase that may run at the same time. */
const CONCURRENT_CHECKS = 24;
/** After an interrupt, the checks that still wait for a response leave the time that is left to the last look at money. */
const LONGEST_AFTER_INTERRUPT_MS = 2_000;
/** A check that takes longer hangs; settling and waiting take far less. */
const LONGEST_CHECK_MS = 15 * 60_000;

type Job = () => Promise<void>;
type Tell = (run: Run, event: RunEvent) => void;

/**
 * Runs the checks of each run, phase by phase, until they have ended or `overdue` settles; each check runs once for every run
 * that selects it. `onEvent` gets what a run found; a fault of the suite counts for all of them, and so does a check without a
 * result for its own. If `overdue` resolves, the checks that still run were interrupted.
 */
export async function runChecks(
  runs: readonly Run[],
  onEvent: (runId: string, event: RunEvent) => void,
  overdue: Promise<void> = new Promise(() => {}),
): Promise<void> {
  const checklist = readChecklist();
  const waiting = new Map(runs.map((run) => [run, new Set(run.settings.checks)]));
  let isOver = false;
  const tell: Tell = (run, event) => {
    if (isOver) return;
    if (event.type === "check") waiting.get(run)?.delete(event.result.id);
    onEvent(run.settings.runId, event);
  };
  const fault = (text: string) => {
    const [line = text] = text.split("\n", 1);
    for (const run of runs) tell(run, { type: "problem", kind: "suite", text: run.redactor.text(line) });
  };
  let isInterrupted = false;
  try {
    const checked = performChecks(runs, checklist, tell, fault);
    isInterrupted = await Promise.race([checked.then(() => false), overdue.then(() => true)]);
  } catch (error) {
    fault(String(error));
  }
  const listed = new Map(checklist.map((check) => [check.id, check]));
  for (const [run, ids] of waiting)
    for (const id of [...ids]) {
      const check = isInterrupted && listed.get(id);
      if (check) tell(run, { type: "check", result: interrupted(check) });
      else tell(run, { type: "problem", kind: "suite", text: `${id}: the check produced no result` });
    }
  isOver = true;
  await Promise.all(runs.map((run) => run.close()));
}

async function performChecks(
  runs: readonly Run[],
  checklist: readonly Listed[],
  tell: Tell,
  fault: (text: string) => void,
) {
  const selected = new Set(runs.flatMap(({ settings }) => settings.checks));
  const files = checklist.flatMap(({ id, file }) => (selected.has(id) ? [file] : []));
  const faultIn = (where: string) => (error: unknown) => fault(`${where}: ${messageOf(error)}`);
  for (const file of new Set(files.toSorted()))
    await import(/* @vite-ignore */ `../${file}`).catch(faultIn(file));
  const phases = phasesOf(checklist);
  const phaseOf = new Map(checklist.map(({ id, file }) => [id, phases.get(file)]));
  const interrupt = Promise.all(runs.map(({ state }) => state.interrupted)).then(() =>
    sleep(LONGEST_AFTER_INTERRUPT_MS),
  );
  for (const phase of PHASES) {
    if (phase === "reads") await Promise.all(runs.map(settle));
    const jobs = jobsOf(runs, (id) => phaseOf.get(id) === phase, tell);
    const all = phase === "final" ? [...finalJobs(runs, tell), ...jobs] : jobs;
    const checked = inParallel(CONCURRENT_CHECKS, all, (job) => job().catch(faultIn("a check")));
    await (phase === "final" ? checked : Promise.race([checked, interrupt]));
  }
  for (const run of runs) if (run.obstacle) tell(run, { type: "problem", ...run.obstacle });
}

const messageOf = (error: unknown) => (error as Error).message ?? String(error);

/** The result of a check that an interrupt ended before it had one. */
function interrupted({ pays, probe, file, ...info }: Listed): CheckResult {
  const message = "the run was interrupted";
  return { ...info, verdict: "not-tested", reason: "interrupted", message, durationMs: 0, exchanges: [] };
}

const jobsOf = (runs: readonly Run[], isMeant: (id: string) => boolean, tell: Tell): Job[] =>
  [...registered.values()]
    .filter(({ info }) => isMeant(info.id))
    .flatMap((check) =>
      runs
        .filter(({ settings }) => settings.checks.includes(check.info.id))
        .map((run) => () => runCheck(run, check, tell)),
    );

const finalJobs = (runs: readonly Run[], tell: Tell): Job[] =>
  FINAL_CHECKS.flatMap((checkFor) => runs.map((run) => () => runFinal(run, checkFor(run), tell)));

/** Lets what the run wrote settle; what was learned about a list when it was shorter is learned anew. */
async function settle(run: Run) {
  if (operations.some(({ id }) => run.writesFor(id) > 0)) await ifDecided(run.settling.pause());
  run.forget("list/");
}

async function runCheck(run: Run, check: Check, tell: Tell) {
  // Checks that only compute would keep the responses of others waiting.
  await nextTurn();
  report(run, await outcomeOf(run, check), tell);
}

async function runFinal(run: Run, check: Check | undefined, tell: Tell) {
  if (!check) return;
  const outcome = await outcomeOf(run, check);
  const isKnown = outcome.result.verdict === "pass" || run.settings.checks.includes(check.info.id);
  if (isKnown) reportCreated(run, outcome, tell);
  else report(run, outcome, tell);
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
    const message = run.redactor.text(`ended without a result: ${messageOf(error)}`);
    const result = { ...check.info, verdict: "suite-error", message, durationMs: 0, exchanges: [] } as const;
    return { result, observations: [], created: [] };
  } finally {
    clearTimeout(timer);
  }
}

function report(run: Run, outcome: Outcome, tell: Tell) {
  for (const observation of outcome.observations) tell(run, { type: "observation", observation });
  reportCreated(run, outcome, tell);
  tell(run, { type: "check", result: outcome.result });
}

function reportCreated(run: Run, { created }: Outcome, tell: Tell) {
  for (const one of created) tell(run, { type: "created", created: one });
}

/** What a run of the checks is made from. */
interface RunInputs extends Pick<RunSettings, "runId" | "seed" | "target"> {
  /** The run's folder. */
  readonly directory: string;
  readonly keepsExchanges: boolean;
  readonly checks: readonly { readonly id: string }[];
  readonly found: Preflight;
  /** What the run may pay; without it, only the operator's caps apply. */
  readonly plan?: Plan;
}

/** The settings of a run. */
export function settingsOf({
  runId,
  seed,
  target,
  directory,
  keepsExchanges,
  ...run
}: RunInputs): RunSettings {
  const { plan } = run;
  const { pathForms, bothForms, unreadable } = run.found;
  const { MAX_PAYOUTS = Number.POSITIVE_INFINITY, MAX_PAYOUT_TOTAL: total = null } = target.values;
  const most = Math.min(MAX_PAYOUTS, plan?.most ?? Number.POSITIVE_INFINITY);
  const checks = run.checks.map(({ id }) => id);
  const rootCause = checks.find((id) => id === `${unreadable}/accepted`);
  const expected = plan && { expected: { count: plan.count, total: plan.total } };
  return {
    runId,
    seed,
    target,
    checks,
    ...(keepsExchanges && { directory }),
    pathForms,
    bothForms,
    ...(rootCause && { rootCause }),
    ledger: {
      path: ledgerPathOf(target, directory),
      caps: { count: Number.isFinite(most) ? most : null, total, ...expected },
    },
  };
}
