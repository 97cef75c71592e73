import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../../fixtures/engine/config/target.ts";
import { CommandError } from "../../../reports/command-line/command.ts";
import { sha256 } from "../../../reports/digest.ts";
import { referencesOf } from "../../k6/requests.ts";
import { followLines } from "../../results/recording/follow.ts";
import { RESPONSES_LOG, readLine } from "../../results/recording/lines.ts";
import { Recording } from "../../results/recording/recording.ts";
import { type LoadRun, RESULT } from "../../results/result.ts";
import { HeldMoney } from "../money.ts";
import type { EndedLoad } from "../run.ts";
import { readPrepared } from "./prepare.ts";

/** Reads what the runners logged; throws a {@link CommandError} (3) if the ledger is another one. */
export function mergeLogs(directory: string, run: LoadRun, logs: readonly string[], target: Target) {
  const held = new HeldMoney(target, directory, run.runId);
  const { control, working, payments } = readPrepared(directory);
  if (held.calls.length !== payments)
    throw new CommandError(3, [
      `the ledger ${held.path} holds ${held.calls.length} of the ${payments} payments of this run: merge where it was prepared, or set LEDGER_DIR to the ledger that was used there. Nothing was sent`,
    ]);
  const recording = readRunnerLogs(directory, run, logs, target);
  // Complete logs show all that was sent.
  const ended: EndedLoad = { run, held, control, recording, working };
  return { incomplete: recording.gaps(), ended };
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
  const { prefix } = referencesOf(run.runId, target.values.REFERENCE_FORM);
  const recording = new Recording(run, prefix);
  const path = join(directory, RESPONSES_LOG);
  const merged = openSync(`${path}.part`, "w");
  // A log may be fetched more than once: lines with the same times and identifiers are one line.
  const read = new Set<number>();
  for (const file of logs)
    followLines(file, (text) => {
      const line = readLine(text);
      if (line === undefined) return;
      const digest = Number.parseInt(sha256(text).slice(0, SAFE_DIGITS), 16);
      if (read.has(digest)) return;
      read.add(digest);
      recording.add(line, file);
      writeSync(merged, `${text}\n`);
    }).finish();
  closeSync(merged);
  const misuses = [...recording.misuses];
  if (misuses.length > 0) rmSync(`${path}.part`);
  refuse(misuses);
  renameSync(`${path}.part`, path);
  return recording;
}

function refuse(problems: readonly string[]) {
  if (problems.length > 0) throw new CommandError(2, problems);
}
