import { type RunFolder as Folder, makeRunFolder } from "../../fixtures/engine/config/run-folder.ts";
import { type EventLog, openEvents } from "../../reports/events/events.ts";

/** The folder of a run of checks, and the log of its events. */
export interface RunFolder extends Folder {
  readonly events: EventLog;
}

/** Opens the folder of a new run below `out`; throws a `CommandError` (2) if it cannot be written. */
export function openRun(out: string): RunFolder {
  const folder = makeRunFolder(out, "latest");
  return { ...folder, events: openEvents(folder.path) };
}
