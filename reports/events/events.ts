import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { UnusableFile } from "../text/unusable-file.ts";
import { RunEvent } from "./event.ts";

/** The file of a run that is written while it goes on; every other report is made from it. */
export const EVENTS_FILE = "events.jsonl";

export interface EventLog {
  /** Writes one line at once, so that a run that is killed keeps what it had found. */
  append(event: RunEvent): void;
  close(): void;
}

/** Opens `events.jsonl` below `directory`, which is made where it is missing; an existing one is refused. */
export function openEvents(directory: string): EventLog {
  mkdirSync(directory, { recursive: true });
  // "ax": two runs that shared a folder would mix their verdicts.
  const file = openSync(join(directory, EVENTS_FILE), "ax");
  let open = true;
  return {
    append: (event) => {
      // A result may still come in while the launcher is ending; what is closed is already judged.
      if (open) writeSync(file, `${JSON.stringify(event)}\n`);
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
 * Reads the events of a run. A torn last line, as a killed run leaves it, is dropped; any other bad line
 * throws {@link UnusableFile}.
 */
export function readEvents(directory: string): RunEvent[] {
  const path = join(directory, EVENTS_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new UnusableFile(`${directory} is no run folder: it holds no readable ${EVENTS_FILE}`);
  }
  const lines = text.split("\n");
  // The writer ends every line, so what follows the last line break was cut off.
  lines.pop();
  return lines.map((line, index) => parse(line, `${path}:${index + 1}`));
}

function parse(line: string, where: string): RunEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UnusableFile(`${where} is no JSON: the file was changed after the run`);
  }
  const event = RunEvent.safeParse(value);
  if (event.success) return event.data;
  const [problem] = event.error.issues;
  throw new UnusableFile(
    `${where} is no event of this version: ${problem?.message} at ${z.core.toDotPath(problem?.path ?? [])}`,
  );
}
