import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderCreatedCsv } from "./formats/created.ts";
import { renderJunit } from "./formats/junit.ts";
import { renderObservations } from "./formats/observations.ts";
import type { VerdictsFile } from "./verdicts/verdict.ts";
import { writeVerdicts } from "./verdicts.ts";

/**
 * Writes every report that is made from `file` alone into the folder of the run: `junit.xml`, `created.csv`,
 * `observations.md` and, last, `verdicts.json`, whose digests cover all other files. Returns the file with its digests.
 */
export async function writeArtifacts<F extends VerdictsFile>(directory: string, file: F): Promise<F> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "junit.xml"), renderJunit(file));
  await writeFile(join(directory, "created.csv"), renderCreatedCsv(file.created));
  await writeFile(join(directory, "observations.md"), renderObservations(file));
  return writeVerdicts(directory, file);
}
