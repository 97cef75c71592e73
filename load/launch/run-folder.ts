import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunFolder as Folder, makeRunFolder } from "../../fixtures/config/run-folder.ts";

/** The folder of a load run. */
export interface RunFolder extends Folder {
  /** Writes a JSON file by rename, so that no reader sees half of it. */
  write(name: string, content: unknown): void;
  /** Returns the text of a file; empty if there is no such file. */
  read(name: string): string;
}

/** Makes the folder of a new run below `out`; throws a `CommandError` (2) if it cannot. */
export function openRun(out: string): RunFolder {
  const folder = makeRunFolder(out);
  return {
    ...folder,
    write: (name, content) => {
      const file = join(folder.path, name);
      writeFileSync(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`);
      renameSync(`${file}.part`, file);
    },
    read: (name) => {
      const file = join(folder.path, name);
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    },
  };
}
