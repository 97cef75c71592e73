import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Redactor } from "../fixtures/redaction.ts";

/** Searches every file of a run for every secret it knew; one line for each that shows one. */
export function findLeaks(directory: string, redactor: Redactor): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const names = redactor.leaks(readFileSync(path, "utf8"));
    return names.map(
      (name) =>
        `${relative(directory, path)} shows the value of ${name}: delete the run's folder, and report this fault of the suite`,
    );
  });
}
