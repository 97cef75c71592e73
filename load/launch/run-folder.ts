import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunFolder as Folder, makeRunFolder } from "../../fixtures/config/run-folder.ts";

/** The folder of a load run. */
export interface RunFolder extends Folder {
  /** Writes a JSON file by rename, so that a reader never sees half of it. */
  write(name: string, content: unknown): void;
}

/** Opens the folder of a new run below `out`; throws a `CommandError` (2) where it cannot be written. */
export function openRun(out: string): RunFolder {
  const folder = makeRunFolder(out);
  return {
    ...folder,
    write: (name, content) => {
      const file = join(folder.path, name);
      writeFileSync(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`);
      renameSync(`${file}.part`, file);
    },
  };
}
