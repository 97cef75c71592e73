import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openEvents, type RunEvent } from "../events/events.ts";

/** Writes events into a new folder, as a run does; returns the folder, which is removed after the test. */
export function runFolder(events: readonly RunEvent[]): string {
  const directory = mkdtempSync(join(tmpdir(), "run-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const log = openEvents(directory);
  for (const event of events) log.append(event);
  log.close();
  return directory;
}
