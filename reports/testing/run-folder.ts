import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { openEvents, type RunEvent } from "../events/events.ts";

/** Writes events into a new folder, as a run does; returns the folder, which is removed after the test. */
export function runFolder(events: readonly RunEvent[]): string {
  const directory = temporaryFolder();
  const log = openEvents(directory);
  for (const event of events) log.append(event);
  log.close();
  return directory;
}
