import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../../fixtures/engine/config/target.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import { sha256 } from "../../../reports/digest.ts";
import { plural } from "../../../reports/wording.ts";
import { RESPONSES_LOG } from "../../generator/generator.ts";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import { type References, referencesOf } from "../../k6/requests.ts";
import { Journal } from "../../reconcile/journal.ts";
import { readLines } from "../../results/recording/follow.ts";
import { type Line, readLine } from "../../results/recording/lines.ts";
import { IterationSet, Recording } from "../../results/recording/recording.ts";
import { type LoadRun, RESULT } from "../../results/result.ts";
import { HeldMoney } from "../money.ts";
import type { EndedLoad } from "../run.ts";
import { readPrepared } from "./prepare.ts";

/** Reads what the runners logged; throws a {@link CommandError} (3) if the ledger is another one. */
export function mergeLogs(directory: string, run: LoadRun, logs: readonly string[], target: Target) {
  const held = new HeldMoney(target, directory, run.runId);
  const { control, tried, payments } = readPrepared(directory);
  if (held.calls.length !== payments)
    throw new CommandError(3, [
      `the ledger ${held.path} holds ${held.calls.length} of the ${payments} payments of this run: merge where it was prepared, or set LEDGER_DIR to the ledger that was used there. Nothing was sent`,
    ]);
  const { recording, journal, gaps: incomplete } = readRunnerLogs(directory, run, logs, target);
  const measured = recording.summary();
  const ended: EndedLoad = {
    run,
    held,
    control,
    journal,
    measured,
    // The logs are complete: what they do not show was not sent.
    unanswered: [],
    mayBeSent: () => false,
    tried,
    stop: { interrupted: false },
    gaps: measured ? [] : ["the runners sent nothing"],
  };
  return { incomplete, ended };
}

/** A number keeps 13 hexadecimal digits exactly. */
const SAFE_DIGITS = 13;

/** Reads the logs of all runners and leaves them as one; throws a {@link CommandError} (2) for a log of another run. */
export function readRunnerLogs(directory: string, run: LoadRun, logs: readonly string[], target: Target) {
  const absent = logs.filter((file) => !statSync(file, { throwIfNoEntry: false })?.isFile());
  refuse(
    existsSync(join(directory, RESULT))
      ? [`${directory} has a result already: its logs were merged, or it was given up`]
      : logs.length === 0
        ? [`merge needs the logs of the runners: npm run load -- merge ${directory} <log>...`]
        : absent.map((file) => `${file} is not a file`),
  );
  const recording = new Recording(run);
  const journal = new Journal();
  const runners = watchRunners(run, referencesOf(run.runId, target.values.REFERENCE_FORM));
  const path = join(directory, RESPONSES_LOG);
  const merged = openSync(`${path}.part`, "w");
  // A log may be fetched more than once: lines with the same times and identifiers are one line.
  const read = new Set<number>();
  for (const file of logs)
    readLines(file, (text) => {
      const line = readLine(text);
      if (line === undefined) return;
      const digest = Number.parseInt(sha256(text).slice(0, SAFE_DIGITS), 16);
      if (read.has(digest)) return;
      read.add(digest);
      runners.add(line, file);
      for (const reader of [recording, journal]) reader.add(line);
      writeSync(merged, `${text}\n`);
    });
  closeSync(merged);
  const misuses = runners.misuses();
  if (misuses.length > 0) rmSync(`${path}.part`);
  refuse(misuses);
  renameSync(`${path}.part`, path);
  return { recording, journal, gaps: runners.gaps() };
}

function refuse(problems: readonly string[]) {
  if (problems.length > 0) throw new CommandError(2, problems);
}

const OF_ANOTHER_RUN = "is the log of another run";
const ONCE = "start each runner once";

/** Finds what is missing and what does not belong in the logs of runners: of `n`, each has every `n`th iteration. */
function watchRunners(run: LoadRun, { prefix }: References) {
  const { profile, runners = 1 } = run;
  const logs = Array.from({ length: runners }, () => ({
    /** Counted without those of the other runners. */
    iterations: new IterationSet(Math.ceil(run.iterations / runners)),
    /** How long the runner ran; absent without the last line of its log. */
    elapsedMs: undefined as number | undefined,
  }));
  /** Why runners did not reach the target, if so; which ones, their logs do not say. */
  const unreached = new Set<string>();
  const misuses = new Set<string>();

  const misuseOfEnd = ({ runId, segment, elapsedMs }: Extract<Line, { kind: "end" }>) => {
    const runner = runnerOf(segment, runners);
    const log = logs[runner];
    if (runId !== run.runId) return OF_ANOTHER_RUN;
    if (!log)
      return `is the log of the execution segment ${segment}, which none of ${plural(runners, "runner")} has`;
    if (log.elapsedMs !== undefined) return `repeats the log of runner ${runner + 1}: ${ONCE}`;
    log.elapsedMs = elapsedMs;
    return undefined;
  };

  /** Counts a line for its runner; says so if it does not belong to the run. */
  const misuseOf = (line: Line): string | undefined => {
    if (line.kind === "end") return misuseOfEnd(line);
    if (line.kind !== "response" && line.kind !== "exception") return undefined;
    const log = logs[line.iteration % runners];
    const isForeign = line.kind === "response" && line.reference?.startsWith(prefix) === false;
    if (line.iteration >= run.iterations || isForeign || !log) return OF_ANOTHER_RUN;
    const before = log.iterations.size;
    log.iterations.add(Math.floor(line.iteration / runners));
    const isRepeated = line.kind === "response" && log.iterations.size === before;
    return isRepeated ? `repeats what was read before: ${ONCE}` : undefined;
  };

  const gapOf = ({ iterations, elapsedMs }: (typeof logs)[number], runner: number): string | undefined => {
    const { size, length } = iterations;
    if (elapsedMs === undefined)
      return size === 0
        ? "its log is missing"
        : "its log has no last line, so it is cut off, or the runner was killed";
    const planned = Math.ceil((run.iterations - runner) / runners);
    const lastDueMs = new ArrivalTimes(profile).dueMs(runner + (planned - 1) * runners);
    if (elapsedMs < lastDueMs && size < planned)
      return `it stopped after ${Math.round(elapsedMs / 1000)} s of ${Math.round(profile.seconds)} s, with ${size} of ${plural(planned, "iteration")}, for example because most responses were server errors; the end of its log says why`;
    return size < length
      ? `its log lacks the responses of ${length - size} of ${length} iterations`
      : undefined;
  };

  return {
    add: (line: Line, file: string) => {
      if (line.kind === "reach" && line.status === 0)
        unreached.add(`${file}: k6 could not reach the target: ${line.error}`);
      const misuse = misuseOf(line);
      if (misuse !== undefined) misuses.add(`${file} ${misuse}`);
    },
    misuses: () => [...misuses],
    /** What is missing, one line each. */
    gaps: () => [
      ...unreached,
      ...logs.flatMap((log, runner) => {
        const gap = gapOf(log, runner);
        return gap === undefined ? [] : [`runner ${runner + 1} of ${runners}: ${gap}`];
      }),
    ],
  };
}

/** The number of the runner, from 0 on, that has this execution segment; -1 if none of them has it. */
function runnerOf(segment: string, runners: number): number {
  const [from = 0, to = 0] = segment.split(":").map((fraction) => {
    const [numerator, denominator = 1] = fraction.split("/").map(Number);
    return (Number(numerator) / denominator) * runners;
  });
  const runner = Math.round(from);
  return Math.abs(from - runner) < 1e-6 && Math.abs(to - runner - 1) < 1e-6 ? runner : -1;
}
