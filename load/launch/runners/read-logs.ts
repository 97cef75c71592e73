import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../../fixtures/engine/config/target.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import { ANSWERS_LOG } from "../../generator/generator.ts";
import { referencesOf } from "../../k6/templates/reference.ts";
import { Schedule } from "../../k6/traffic/schedule.ts";
import { Journal } from "../../reconcile/journal.ts";
import { readLine } from "../../results/recording/answers.ts";
import { readLines } from "../../results/recording/follow.ts";
import { Recording } from "../../results/recording/recording.ts";
import { type LoadRun, RESULT } from "../../results/result.ts";
import { clientIn } from "../settings.ts";
import { RunnerLogs } from "./runner-logs.ts";

/** What the runners of a run logged, read as the log of one run. */
export interface ReadLogs {
  readonly recording: Recording;
  readonly journal: Journal;
  /** What is missing, one line each. */
  readonly gaps: readonly string[];
}

/**
 * Reads the logs of all runners, whatever else is written between their lines, and leaves them as one log in the run's
 * folder. Throws a {@link CommandError} (2) for a log that does not belong to the run.
 */
export function readRunnerLogs(
  directory: string,
  run: LoadRun,
  logs: readonly string[],
  target: Target,
): ReadLogs {
  requireReadable(directory, logs);
  const planned = run.steps ? new Schedule(run.steps).requestsIn(run.iterations) : {};
  const recording = new Recording(run, planned);
  const journal = new Journal();
  const { prefix } = referencesOf(run.runId, target.values.REFERENCE_FORM);
  const repeats = clientIn({ run, target }).resends > 0;
  const runners = new RunnerLogs(run, run.runners ?? 1, { prefix, repeats });
  const merged = new LogFile(join(directory, ANSWERS_LOG));
  for (const file of logs)
    readLines(file, (text) => {
      const line = readLine(text);
      if (line === undefined) return;
      runners.add(line, file);
      for (const reader of [recording, journal]) reader.add(line);
      merged.add(text);
    });
  const misuses = runners.misuses();
  merged.close(misuses.length === 0);
  if (misuses.length > 0) throw new CommandError(2, misuses);
  return { recording, journal, gaps: runners.gaps() };
}

function requireReadable(directory: string, logs: readonly string[]) {
  if (existsSync(join(directory, RESULT)))
    throw new CommandError(2, [
      `${directory} has a result already: its logs were merged, or it was given up`,
    ]);
  if (logs.length === 0)
    throw new CommandError(2, [
      `merge needs the logs of the runners: npm run load -- merge ${directory} <log>...`,
    ]);
  const absent = logs.filter((file) => !statSync(file, { throwIfNoEntry: false })?.isFile());
  if (absent.length > 0)
    throw new CommandError(
      2,
      absent.map((file) => `${file} is not a file`),
    );
}

const BUFFERED_LINES = 1000;

/** A file that is complete, or absent. */
class LogFile {
  readonly #path: string;
  readonly #file: number;
  #lines: string[] = [];

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(`${path}.part`, "w");
  }

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= BUFFERED_LINES) this.#write();
  }

  close(isComplete: boolean): void {
    this.#write();
    closeSync(this.#file);
    if (isComplete) renameSync(`${this.#path}.part`, this.#path);
    else rmSync(`${this.#path}.part`);
  }

  #write(): void {
    writeSync(this.#file, this.#lines.map((line) => `${line}\n`).join(""));
    this.#lines = [];
  }
}
