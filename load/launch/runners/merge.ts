import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../../fixtures/engine/config/target.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import { RESPONSES_LOG } from "../../generator/generator.ts";
import { clientOf } from "../../k6/profiles.ts";
import { referencesOf } from "../../k6/requests.ts";
import { Journal } from "../../reconcile/journal.ts";
import { readLines } from "../../results/recording/follow.ts";
import { Recording, readLine } from "../../results/recording/recording.ts";
import { type LoadRun, RESULT } from "../../results/result.ts";
import { HeldMoney } from "../money.ts";
import type { EndedLoad } from "../run.ts";
import { readPrepared } from "./prepare.ts";
import { watchRunners } from "./runner-logs.ts";

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
