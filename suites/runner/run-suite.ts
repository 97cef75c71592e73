import { join } from "node:path";
import type { Vitest } from "vitest/node";
import { findLeaks } from "../../fixtures/config/leaks.ts";
import { Redactor } from "../../fixtures/config/redaction.ts";
import { closeLedger } from "../../fixtures/run/ledger.ts";
import { INTERRUPTED, OUT_OF_TIME, type RunSettings } from "../../fixtures/run/run.ts";
import { writeArtifacts } from "../../reports/artifacts.ts";
import { consoleOptions, renderResult } from "../../reports/console/console.ts";
import { showProgress } from "../../reports/console/progress.ts";
import { readEvents } from "../../reports/events/events.ts";
import { VerdictReporter } from "../../reports/events/reporter.ts";
import { allureReporter } from "../../reports/formats/allure.ts";
import { buildVerdicts } from "../../reports/verdicts/verdicts.ts";
import { describeTarget, recordStart } from "./run-start.ts";
import { settingsOf } from "./settings.ts";
import type { SuiteRun } from "./suite-run.ts";
import { openVitest, runChecks } from "./vitest-run.ts";

/** A check that never ends gets this long after its run was told to stop. */
const GRACE_MS = 60_000;

/** Runs the checks, writes every report and prints the result; returns the exit code. */
export async function runSuite(run: SuiteRun): Promise<number> {
  const { folder, target, plan } = run;
  const settings = settingsOf({
    runId: folder.runId,
    directory: folder.path,
    seed: run.options.seed,
    checks: run.checks,
    hardened: run.options.hardened,
    allure: true,
    target,
    plan,
    found: run.found,
  });
  announce(run);
  recordStart(run);
  const redactor = new Redactor(target.secrets);
  const progress = showProgress();
  const reporter = new VerdictReporter({
    plan: run.checks.map(({ id }) => id),
    append: folder.events.append,
    onProgress: progress.update,
    redact: (text) => redactor.text(text),
  });
  const vitest = await openVitest(
    [reporter, allureReporter(join(folder.path, "allure-results"), describeTarget(run))],
    [...new Set(run.checks.map(({ file }) => file))],
  );
  const stop = stopOnSignal(run, settings);
  try {
    await Promise.race([runChecks(vitest, settings), stop.overdue]);
  } catch (error) {
    folder.events.append({ type: "problem", kind: "suite", text: redactor.text(String(error)) });
  }
  reporter.finish();
  progress.clear();
  stop.release();
  folder.events.append({
    type: "money",
    money: closeLedger(
      settings.ledger.path,
      folder.runId,
      { count: plan.most, total: plan.total },
      settings.ledger.caps,
    ),
  });
  folder.events.append({ type: "end", finishedAt: new Date().toISOString() });
  const file = await writeReports(run, redactor);
  folder.events.close();
  process.stdout.write(renderResult(file, { ...consoleOptions(), directory: folder.path }));
  await close(vitest, file.exitCode);
  return file.exitCode;
}

/** Writes every report, then searches all of them for secrets: a find is a fault of ours, and is reported. */
async function writeReports({ folder: { path, events } }: SuiteRun, redactor: Redactor) {
  const file = await writeArtifacts(path, buildVerdicts(readEvents(path)));
  const leaks = findLeaks(path, redactor);
  if (leaks.length === 0) return file;
  for (const text of leaks) events.append({ type: "problem", kind: "suite", text });
  return writeArtifacts(path, buildVerdicts(readEvents(path)));
}

function announce({ target, options, plan, checks }: SuiteRun) {
  const what = target.embedded
    ? "Testing the embedded sandbox, and nothing of yours: no deployment is configured (.env.example shows how)."
    : `Testing ${target.values.TARGET_NAME ?? target.baseUrl} (${target.environment}).`;
  const money =
    plan.count > 0
      ? `; ${plan.count} money calls planned, ${plan.total} in all, never more than ${plan.most} calls`
      : "; no money moves";
  process.stdout.write(`${what}\n${checks.length} checks, seed ${options.seed}${money}.\n\n`);
}

/**
 * The first signal starts no further check and lets the running ones settle their money; a second one ends at
 * once. vitest's own listeners would end the process within a millisecond, so they are removed.
 */
function stopOnSignal({ folder, options }: SuiteRun, settings: RunSettings) {
  const flag = new Int32Array(settings.stop);
  let overdue: NodeJS.Timeout | undefined;
  let giveUp: (reason: Error) => void = () => {};
  const never = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const end = (why: number) => {
    Atomics.store(flag, 0, why);
    overdue ??= setTimeout(
      () => giveUp(new Error(`a check still ran ${GRACE_MS / 1000} s after the run was told to stop`)),
      GRACE_MS + settings.target.settleMs,
    );
  };
  const onSignal = () => {
    if (Atomics.load(flag, 0) === INTERRUPTED) process.exit(130);
    folder.events.append({ type: "interrupted" });
    process.stderr.write(
      "\nStopping: no further check starts; what was sent is settled. Press Ctrl-C again to end at once.\n",
    );
    end(INTERRUPTED);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, onSignal);
  }
  const timer = options.maxMinutes && setTimeout(() => end(OUT_OF_TIME), options.maxMinutes * 60_000);
  return {
    overdue: never,
    release: () => {
      clearTimeout(overdue);
      if (timer) clearTimeout(timer);
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeAllListeners(signal);
    },
  };
}

/** A worker that hangs must not hold up the verdict, which is written by now. */
async function close(vitest: Vitest, exitCode: number) {
  const timer = setTimeout(() => process.exit(exitCode), 5_000);
  timer.unref();
  await vitest.close();
  clearTimeout(timer);
}
