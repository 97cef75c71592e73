import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CommandError } from "../command-line/command.ts";
import { parseJson } from "../command-line/json-file.ts";
import { Problem } from "../verdicts/outcome.ts";
import type { Frozen } from "../verdicts/verdict.ts";
import { CheckResult, Created, Money, Observation, RunStarted, Traffic } from "../verdicts/verdict.ts";
import { inertJson } from "../wording.ts";

/** One line of `events.jsonl`. */
export const RunEvent = z.discriminatedUnion("type", [
  RunStarted,
  z.object({ type: z.literal("check"), result: CheckResult }),
  z.object({ type: z.literal("observation"), observation: Observation }),
  z.object({ type: z.literal("created"), created: Created }),
  /** What the run has moved so far; the last one counts. */
  z.object({ type: z.literal("money"), money: Money }),
  /** What the run has sent so far; the last one counts. */
  z.object({ type: z.literal("traffic"), traffic: Traffic }),
  Problem.extend({ type: z.literal("problem") }),
  z.object({ type: z.literal("interrupted") }),
  z.object({ type: z.literal("end"), finishedAt: z.iso.datetime() }),
]);
export type RunEvent = Frozen<z.infer<typeof RunEvent>>;

/** The file that a run appends to while it is under way; every other report is made from it. */
export const EVENTS_FILE = "events.jsonl";

export type EventLog = ReturnType<typeof openEvents>;

/** Creates `events.jsonl` in `directory`, and the folder if it does not exist; throws if the file exists. */
export function openEvents(directory: string) {
  mkdirSync(directory, { recursive: true });
  // "ax" fails if the file exists: two runs in one folder would mix their verdicts.
  const file = openSync(join(directory, EVENTS_FILE), "ax");
  let open = true;
  return {
    /** Writes one line immediately, so that a killed run keeps what it has found. */
    append: (event: RunEvent) => {
      // A result can still arrive while the launcher ends, after the run was judged.
      if (!open) return;
      const line = Buffer.from(`${inertJson(event)}\n`);
      if (writeSync(file, line) < line.byteLength)
        throw Object.assign(new Error(`${EVENTS_FILE}: a line was cut off`), { code: "ENOSPC" });
    },
    close: () => {
      if (!open) return;
      open = false;
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/**
 * Reads the events of a run. Drops an incomplete last line, which a killed run leaves; throws {@link CommandError} (2) for
 * any other bad line.
 */
export function readEvents(directory: string): RunEvent[] {
  const path = join(directory, EVENTS_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new CommandError(2, [`${directory} is not a run folder: it has no readable ${EVENTS_FILE}`]);
  }
  const lines = text.split("\n");
  // The writer ends every line with a line break, so the rest after the last one is incomplete.
  lines.pop();
  const hint = "something changed the file after the run, or it is of another version";
  return lines.map((line, index) => parseJson(`${path}:${index + 1}`, line, RunEvent, hint));
}
