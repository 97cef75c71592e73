import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { Refusal } from "../fixtures/command-line.ts";
import { type EventLog, openEvents } from "../reports/events.ts";

/** Where a run leaves what it finds. */
export interface RunFolder {
  /** Part of every reference that the run makes; no two runs share one. */
  readonly runId: string;
  readonly path: string;
  readonly events: EventLog;
}

/** Makes the folder of a new run below `out` and points `latest` at it; throws a {@link Refusal} (2) if it cannot. */
export function openRun(out: string): RunFolder {
  const runId = randomBytes(5).toString("hex").slice(0, 8);
  const path = join(out, `${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}-${runId}`);
  try {
    mkdirSync(path, { recursive: true });
    const events = openEvents(path);
    const latest = join(out, "latest");
    rmSync(latest, { force: true });
    symlinkSync(basename(path), latest);
    return { runId, path, events };
  } catch (error) {
    throw new Refusal(2, [`--out ${out} cannot be written: ${(error as Error).message}`]);
  }
}
