import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../../fixtures/engine/config/target.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import { plural } from "../../../reports/wording.ts";
import { RESPONSES_LOG } from "../../generator/generator.ts";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import { clientOf } from "../../k6/profiles.ts";
import { referencesOf } from "../../k6/requests.ts";
import { Journal } from "../../reconcile/journal.ts";
import { readLines } from "../../results/recording/follow.ts";
import { IterationSet, type Line, Recording, readLine } from "../../results/recording/recording.ts";
import { type LoadRun, RESULT } from "../../results/result.ts";
import { HeldMoney } from "../money.ts";
import type { EndedLoad } from "../run.ts";
import { readPrepared } from "./prepare.ts";

/**
 * Reads what the runners of a prepared run logged; `incomplete` says what is missing, one line each. Throws a
 * {@link CommandError} (3) if the ledger is another one.
 */
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

/**
 * Reads the logs of all runners, whatever else is written between their lines, and leaves them as one log in the run's
 * folder. Throws a {@link CommandError} (2) for a log that does not belong to the run.
 */
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
  const { prefix } = referencesOf(run.runId, target.values.REFERENCE_FORM);
  const repeats = clientOf(run.client ?? "patient", target.timeoutMs).resends > 0;
  const runners = watchRunners(run, prefix, repeats);
  const path = join(directory, RESPONSES_LOG);
  const merged = openSync(`${path}.part`, "w");
  for (const file of logs)
    readLines(file, (text) => {
      const line = readLine(text);
      if (line === undefined) return;
      runners.add(line, file);
      for (const reader of [recording, journal]) reader.add(line);
      writeSync(merged, `${text}\n`);
    });
  closeSync(merged);
  const misuses = runners.misuses();
  if (misuses.length > 0) rmSync(`${path}.part`);
  refuse(misuses);
  renameSync(`${path}.part`, path);
  /** Gaps say what is missing, one line each. */
  return { recording, journal, gaps: runners.gaps() };
}

function refuse(problems: readonly string[]) {
  if (problems.length > 0) throw new CommandError(2, problems);
}

const OF_ANOTHER_RUN = "is the log of another run";
const ONCE = "name each log once, and start each runner once";

/**
 * Watches the lines of the runners of a run, in any number of files, for what is missing and what does not belong there. Of
 * `n` runners, each has every `n`th iteration, and numbers them without a gap. All references of the run begin with `prefix`;
 * a client that `repeats` may send the request of an iteration several times.
 */
function watchRunners(run: LoadRun, prefix: string, repeats: boolean) {
  const { profile, runners = 1 } = run;
  const logs = Array.from({ length: runners }, () => ({
    /** Counted without those of the other runners. */
    iterations: new IterationSet(Math.ceil(run.iterations / runners)),
    /** How long the runner ran; absent without the last line of its log. */
    elapsedMs: undefined as number | undefined,
  }));
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

  const misuseOf = (line: Line): string | undefined => {
    if (line.kind === "sighting") return undefined;
    if (line.kind === "end") return misuseOfEnd(line);
    const { kind, iteration } = line;
    const isForeign = kind === "response" && line.reference?.startsWith(prefix) === false;
    const iterations = logs[iteration % runners]?.iterations;
    if (iteration >= run.iterations || isForeign || !iterations) return OF_ANOTHER_RUN;
    const before = iterations.size;
    iterations.add(Math.floor(iteration / runners));
    const isRepeated = kind === "response" && !repeats && iterations.size === before;
    return isRepeated ? `repeats what was read before: ${ONCE}` : undefined;
  };

  const gapOf = ({ iterations, elapsedMs }: (typeof logs)[number], runner: number): string | undefined => {
    const { size, length } = iterations;
    if (elapsedMs === undefined)
      return size === 0
        ? "its log is missing"
        : "its log has no last line, so it is cut off, or the runner was killed";
    if (size < length) return `its log lacks the responses of ${length - size} of ${length} iterations`;
    const planned = Math.ceil((run.iterations - runner) / runners);
    const lastDueMs = new ArrivalTimes(profile).dueMs(runner + (planned - 1) * runners);
    return elapsedMs < lastDueMs && size < planned
      ? `it stopped after ${Math.round(elapsedMs / 1000)} s of ${Math.round(profile.seconds)} s, with ${size} of ${plural(planned, "iteration")}; the end of its log says why`
      : undefined;
  };

  return {
    /** Takes a line of a file. */
    add: (line: Line, file: string) => {
      const misuse = misuseOf(line);
      if (misuse !== undefined) misuses.add(`${file} ${misuse}`);
    },
    /** What does not belong to the run, one line each. */
    misuses: () => [...misuses],
    /** What is missing, one line each. */
    gaps: () =>
      logs.flatMap((log, runner) => {
        const gap = gapOf(log, runner);
        return gap === undefined ? [] : [`runner ${runner + 1} of ${runners}: ${gap}`];
      }),
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
