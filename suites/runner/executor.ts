import { Worker } from "node:worker_threads";
import { ledgerPathOf } from "../../fixtures/engine/ledger/ledger-file.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import type { Preflight } from "../../fixtures/engine/run/preflight.ts";
import type { RunSettings } from "../../fixtures/engine/run/run.ts";
import { SHARED_BYTES } from "../../fixtures/engine/run/shared.ts";
import type { RunEvent } from "../../reports/events/events.ts";
import type { CheckResult } from "../../reports/verdicts/verdict.ts";
import { type Listed, readChecklist } from "./checklist.ts";
import type { Plan } from "./plan.ts";
import type { Message } from "./worker.ts";

/**
 * Runs the checks of each run in one thread, phase by phase, until they have ended or `overdue` settles. `onEvent` gets
 * what a run found; a fault of the thread counts for all of them, and so does a check without a result for its own. If
 * `overdue` resolves, the checks that still run were interrupted.
 */
export async function runChecks(
  runs: readonly RunSettings[],
  onEvent: (runId: string, event: RunEvent) => void,
  overdue: Promise<void> = new Promise(() => {}),
): Promise<void> {
  const waiting = new Map(runs.map(({ runId, checks }) => [runId, new Set(checks)]));
  const fault = (text: string) => {
    for (const { runId, target } of runs)
      onEvent(runId, { type: "problem", kind: "suite", text: new Redactor(target.secrets).text(text) });
  };
  const worker = new Worker(new URL("./worker.mjs", import.meta.url), { workerData: runs });
  const ended = new Promise<void>((resolve) => {
    worker.on("message", (message: Message) => {
      if ("finished" in message) return resolve();
      if ("fault" in message) return fault(message.fault);
      const { runId, event } = message;
      if (event.type === "check") waiting.get(runId)?.delete(event.result.id);
      onEvent(runId, event);
    });
    worker.on("error", (error) => fault(`the thread of the checks broke: ${error}`));
    worker.on("exit", () => resolve());
  });
  let isInterrupted = false;
  try {
    isInterrupted = await Promise.race([ended.then(() => false), overdue.then(() => true)]);
  } catch (error) {
    fault(String(error));
  }
  await worker.terminate();
  const checks = new Map(readChecklist().map((check) => [check.id, check]));
  for (const [runId, ids] of waiting)
    for (const id of ids) {
      const check = isInterrupted && checks.get(id);
      if (check) onEvent(runId, { type: "check", result: interrupted(check) });
      else onEvent(runId, { type: "problem", kind: "suite", text: `${id}: the check produced no result` });
    }
}

/** The result of a check that an interrupt ended before it had one. */
function interrupted({ pays, probe, file, ...info }: Listed): CheckResult {
  const message = "the run was interrupted";
  return { ...info, verdict: "not-tested", reason: "interrupted", message, durationMs: 0, exchanges: [] };
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

/** The settings of a run, for the worker. */
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
    shared: new SharedArrayBuffer(SHARED_BYTES),
  };
}
