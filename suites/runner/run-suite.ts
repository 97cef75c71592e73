import type { Vitest } from "vitest/node";
import { closeLedger } from "../../fixtures/engine/ledger/closing.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { showSearched } from "../../fixtures/engine/redaction/show-searched.ts";
import { type RunSettings, trafficOf } from "../../fixtures/engine/run/run.ts";
import { waitsOf } from "../../fixtures/engine/run/settling.ts";
import { writeArtifacts } from "../../reports/artifacts.ts";
import { forJobLog } from "../../reports/ci/github.ts";
import { renderSummary } from "../../reports/ci/summary.ts";
import { consoleOptions, renderResult } from "../../reports/console/console.ts";
import { allWaits, currentWait, showProgress } from "../../reports/console/progress.ts";
import { moneyLines } from "../../reports/verdicts/money.ts";
import { plural, printable } from "../../reports/wording.ts";
import { capOf } from "./plan.ts";
import { stopOnSignal } from "./stop.ts";
import { recordStart, type SuiteRun } from "./suite-run.ts";
import { VerdictReporter } from "./vitest/reporter.ts";
import { openVitest, settingsOf } from "./vitest-run.ts";

/** How often the console updates the time that a wait still takes. */
const SHOWN_EVERY_MS = 500;

/** Runs the checks, writes every report and prints the result; returns the exit code. */
export async function runSuite(run: SuiteRun): Promise<number> {
  const { runId, path: directory, events, target, plan } = run;
  const { stdout, env } = run.invocation;
  const { seed, hardened } = run.options;
  const { checks, found } = run;
  const inputs = { runId, directory, seed, checks, hardened, target, plan, found };
  const settings = settingsOf({ ...inputs, keepsExchanges: true });
  stdout.write(announcement(run));
  recordStart(run);
  const redactor = new Redactor(target.secrets);
  const vitest = await performChecks(run, settings, redactor);
  const { path, caps } = settings.ledger;
  const { count, total, least, worst, needed } = plan;
  const moved = closeLedger(path, runId, { count, total }, caps);
  events.append({ type: "money", money: { ...moved, least, worst, needed, cap: capOf(target) } });
  events.append({ type: "traffic", traffic: trafficOf(settings) });
  events.append({ type: "end", finishedAt: new Date().toISOString() });
  const file = await writeArtifacts(directory);
  events.close();
  // After a failure, the deployment may need longer than what it showed.
  if (!target.embedded && file.outcome !== "non-conformant")
    stdout.write(allWaits(waitsOf(settings.stop, target.settleMs)));
  const exitCode = showSearched(
    {
      directory,
      exitCode: file.exitCode,
      render: (place) =>
        forJobLog(renderResult(file, { ...consoleOptions(stdout, env), directory: place }), file, env),
      summary: renderSummary(file),
    },
    redactor,
    run.invocation,
  );
  await close(vitest, exitCode);
  return exitCode;
}

/** Runs the checks in vitest and records what they report; returns vitest, which is still open. */
async function performChecks(run: SuiteRun, settings: RunSettings, redactor: Redactor): Promise<Vitest> {
  const { events, checks, options } = run;
  const { stderr, env } = run.invocation;
  const progress = showProgress(stderr, env);
  const reporter = new VerdictReporter({
    plan: checks.map(({ id }) => id),
    append: events.append,
    onProgress: progress.update,
    redact: (text) => redactor.text(text),
  });
  const runner = await openVitest([reporter]);
  const watch = setInterval(() => {
    progress.wait(currentWait(waitsOf(settings.stop, run.target.settleMs)));
  }, SHOWN_EVERY_MS);
  const files = checks.map(({ file }) => file);
  const stop = stopOnSignal({
    flag: new Int32Array(settings.stop),
    maxMinutes: options.maxMinutes,
    settleMs: settings.target.settleMs,
    onInterrupt: () => {
      events.append({ type: "interrupted" });
      stderr.write(
        "\nStopping: no further check starts, and money that was sent is settled. Press Ctrl-C again to stop at once.\n",
      );
    },
  });
  try {
    await Promise.race([runner.run([settings], files), stop.overdue]);
  } catch (error) {
    events.append({ type: "problem", kind: "suite", text: redactor.text(String(error)) });
  }
  reporter.finish();
  clearInterval(watch);
  progress.clear();
  stop.release();
  return runner.vitest;
}

function announcement({ target, options, plan, checks, ignored }: SuiteRun): string {
  const why = options.sandbox
    ? `--sandbox was given${ignored.length > 0 ? `, so ${ignored.join(", ")} is not used` : ""}.`
    : "none is configured (see .env.example).";
  const what = target.embedded
    ? `Testing the embedded sandbox, not a deployment of yours: ${why}`
    : printable(`Testing ${target.values.TARGET_NAME ?? target.baseUrl} (${target.environment}).`);
  const { needed, least, worst } = plan;
  const lines = moneyLines({ expected: [least, needed], worst, cap: capOf(target) });
  const money = needed.count > 0 ? `money that may move:\n${lines.join("\n")}` : "no money will move.";
  return `${what}\n${plural(checks.length, "check")}, seed ${options.seed}; ${money}\n\n`;
}

/** A worker that hangs must not delay the exit: the verdict is already written. */
async function close(vitest: Vitest, exitCode: number) {
  const timer = setTimeout(() => process.exit(exitCode), 5_000);
  timer.unref();
  await vitest.close();
  clearTimeout(timer);
}
