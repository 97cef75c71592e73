import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where the runs are unless `--out` says otherwise. */
export const OUT = "reports/out";

/** The folder of a run, as commands that look back find it. */
interface EarlierRun {
  readonly kind: "checks" | "load" | "unknown";
  readonly path: string;
  /** The run has written its result. */
  readonly ended: boolean;
}

/** Time and id; no other folder below `out` belongs to a run. */
const NAME = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/** The runs below a folder, the newest first. */
export function earlierRuns(out: string): EarlierRun[] {
  const names = existsSync(out) ? readdirSync(out).filter((name) => NAME.test(name)) : [];
  return names
    .toSorted()
    .reverse()
    .map((name) => {
      const path = join(out, name);
      const has = (file: string) => existsSync(join(path, file));
      if (has("events.jsonl")) return { kind: "checks", path, ended: has("verdicts.json") };
      return { kind: has("run.json") ? "load" : "unknown", path, ended: has("result.json") };
    });
}

/** The newest run of checks below a folder. */
export const newestRun = (out: string) => earlierRuns(out).find(({ kind }) => kind === "checks")?.path;
