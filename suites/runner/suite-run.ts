import { suiteIdentity } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { closeLedger, movedBy } from "../../fixtures/engine/ledger/ledger-file.ts";
import { showSearched } from "../../fixtures/engine/redaction/leaks.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import type { Preflight } from "../../fixtures/engine/run/preflight.ts";
import { Run } from "../../fixtures/engine/run/run.ts";
import { writeArtifacts } from "../../reports/artifacts.ts";
import { annotationsOf, forJobLog } from "../../reports/ci/github.ts";
import { renderSummary } from "../../reports/ci/summary.ts";
import type { CommandError, Environment, Invocation } from "../../reports/command-line/command.ts";
import { isClosedPipe, sayAfterCrash } from "../../reports/command-line/crash.ts";
import { consoleOptions, renderResult } from "../../reports/console/console.ts";
import { allWaits, currentWait, showProgress } from "../../reports/console/progress.ts";
import type { EventLog } from "../../reports/events/events.ts";
import { countOf, moneyLines, totalOf } from "../../reports/verdicts/money.ts";
import type { Command } from "../../reports/verdicts/outcome.ts";
import { DEFAULT_VALID_DAYS, type KeySource, type Verdicts } from "../../reports/verdicts/run.ts";
import { hasVerdict } from "../../reports/verdicts/verdict.ts";
import type { Waiver } from "../../reports/verdicts/waivers.ts";
import { plural, printable } from "../../reports/wording.ts";
import type { Options } from "./certify.ts";
import { type Listed, readChecklist } from "./checklist.ts";
import { capOf, type Plan } from "./plan.ts";
import { runChecks, settingsOf } from "./run-checks.ts";
import { stopOnSignal } from "./stop.ts";

/** How often the console updates the time that a wait still takes. */
const SHOWN_EVERY_MS = 500;

/** A run that has a folder. */
export interface SuiteRun {
  readonly command: Command;
  readonly invocation: Invocation;
  readonly options: Options;
  readonly target: Target;
  /** The env file or variables of a deployment that `--sandbox` overrides. */
  readonly ignored: readonly string[];
  readonly runId: string;
  /** The folder of the run. */
  readonly directory: string;
  /** The log in that folder. */
  readonly events: EventLog;
  readonly checks: readonly Listed[];
  readonly plan: Plan;
  readonly waivers: readonly Waiver[];
}

/** What became of a run. */
export interface Ended {
  readonly exitCode: number;
  /** What its reports are made from; absent if its output could not be written. */
  readonly verdicts?: Verdicts;
}

/** Runs the checks, writes every report and prints the result. */
export async function runSuite(run: SuiteRun, found: Preflight): Promise<Ended> {
  const { runId, events, target, plan, invocation } = run;
  const { stdout, env } = invocation;
  stdout.write(announcement(run));
  // Whoever started the run would not see its result; the process says why it ends.
  if (stdout.errored && !isClosedPipe(stdout.errored)) return { exitCode: 70 };
  const running = new Run(settingsOf({ ...run, ...run.options, found, keepsExchanges: true }));
  const { state } = running;
  const { path, caps } = running.settings.ledger;
  sayAfterCrash(() => remainsOf(run, path));
  recordStart(run, found.pathForms);
  await performChecks(run, running);
  const { count, total, least, worst, needed } = plan;
  const moved = closeLedger(path, runId, { count, total }, caps);
  events.append({ type: "money", money: { ...moved, least, worst, needed, cap: capOf(target) } });
  events.append({ type: "traffic", traffic: state.traffic });
  return conclude(run, (file) => {
    // After a failure, the deployment may need longer than what it showed.
    if (!target.embedded && !file.checks.some(hasVerdict("fail")))
      stdout.write(allWaits(state.waits(target.settleMs)));
    const render = (directory: string) => renderResult(file, { ...consoleOptions(stdout, env), directory });
    return { exitCode: file.exitCode, render };
  });
}

/**
 * Writes the reports of a run that was refused before its first check, so that `latest` is not an older run.
 */
export async function writeRefusal(run: SuiteRun, { exitCode, problems }: CommandError): Promise<Ended> {
  // Before its preflight, the path forms of a target are unknown.
  recordStart(run, {} as Preflight["pathForms"]);
  const kind = exitCode === 5 ? "waiver" : "refused";
  for (const text of problems) run.events.append({ type: "problem", kind, text });
  return conclude(run, () => ({ exitCode, render: () => "" }));
}

/** Runs the checks until they have ended or are stopped, and records what they find. */
async function performChecks({ events, checks, options, invocation }: SuiteRun, running: Run): Promise<void> {
  const { stderr, env } = invocation;
  const { state, target } = running;
  const progress = showProgress(stderr, env);
  const watch = setInterval(() => {
    progress.wait(currentWait(state.waits(target.settleMs)));
  }, SHOWN_EVERY_MS);
  const stop = stopOnSignal({
    state,
    maxMinutes: options.maxMinutes,
    settleMs: target.settleMs,
    onInterrupt: () => {
      events.append({ type: "interrupted" });
      stderr.write(
        "\nStopping: no further check starts. For a few seconds, the run looks up what may have been paid; then it writes its reports. Press Ctrl-C again to stop at once.\n",
      );
    },
  });
  let done = 0;
  let unwritten: unknown;
  await runChecks(
    [running],
    (_, event) => {
      try {
        events.append(event);
      } catch (error) {
        // What the run does from here on, nobody would know.
        unwritten ??= error;
        stop.now();
      }
      if (event.type !== "check") return;
      done += 1;
      progress.update(done, checks.length, event.result.id);
    },
    stop.overdue,
  );
  clearInterval(watch);
  progress.clear();
  stop.release();
  if (unwritten !== undefined) throw unwritten;
}

/** What a run leaves behind that could not write its reports. */
function remainsOf({ directory, runId }: SuiteRun, ledger: string): string[] {
  const { kept } = movedBy(ledger, runId);
  return [
    `Until then the run made ${countOf(kept)}, ${totalOf(kept)} (${ledger}). To write its reports as far as it came: npm run report -- ${directory}`,
  ];
}

/** Records what is known before the first check of a run. */
function recordStart(run: SuiteRun, pathForms: Preflight["pathForms"]) {
  const { command, invocation, options, target, checks, waivers } = run;
  const { argv } = invocation;
  const { TARGET_NAME: name, TARGET_VERSION: version, VALID_DAYS = DEFAULT_VALID_DAYS } = target.values;
  const { baseUrl, environment, embedded } = target;
  const registered = readChecklist().map(({ id }) => id);
  run.events.append({
    type: "run",
    pid: process.pid,
    suite: suiteIdentity(),
    target: { ...(name && { name }), ...(version && { version }), baseUrl, environment, embedded, pathForms },
    startedAt: new Date().toISOString(),
    seed: options.seed,
    command,
    commandLine: ["npm run", command, ...(argv.length > 0 ? ["--", ...argv] : [])].join(" "),
    keySource: keySourceOf(target, invocation.env),
    strict: options.strict,
    letter: options.letter,
    selected: options.select.length > 0 && checks.length < registered.length,
    outOfScope: [...target.outOfScope],
    registered,
    waivers: [...waivers],
    ...(options.baseline && { baseline: options.baseline }),
    validDays: VALID_DAYS,
  });
}

/** Ends the log, writes every report from it, and shows the result. */
async function conclude(
  { directory, events, target, invocation }: SuiteRun,
  resultOf: (file: Verdicts) => { exitCode: number; render: (directory: string) => string },
): Promise<Ended> {
  events.append({ type: "end", finishedAt: new Date().toISOString() });
  events.close();
  const verdicts = writeArtifacts(directory);
  const { exitCode, render } = resultOf(verdicts);
  const ended = {
    directory,
    exitCode,
    render: (place: string) => forJobLog(render(place), annotationsOf(verdicts), invocation.env),
    summary: renderSummary(verdicts),
  };
  return { exitCode: showSearched(ended, new Redactor(target.secrets), invocation), verdicts };
}

function keySourceOf({ embedded, values }: Target, env: Environment): KeySource {
  if (embedded) return { from: "sandbox" };
  const { CA_FILE: cacert, CLIENT_CERT_FILE: cert, CLIENT_KEY_FILE: key } = values;
  const tls = { ...(cacert && { cacert }), ...(cert && { cert }), ...(key && { key }) };
  const more = Object.keys(tls).length > 0 ? { tls } : {};
  if (values.SECRET_KEY_FILE) return { from: "key-file", path: values.SECRET_KEY_FILE, ...more };
  if (env.SECRET_KEY !== undefined) return { from: "environment", ...more };
  return { from: "env-file", path: env.ENV_FILE || ".env", ...more };
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
