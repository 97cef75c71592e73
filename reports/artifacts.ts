import { createHash } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { buildVerdicts } from "./build-verdicts.ts";
import { readEvents } from "./events/events.ts";
import { renderCreatedCsv } from "./formats/created.ts";
import { renderJunit } from "./formats/junit.ts";
import { renderObservations } from "./formats/observations.ts";
import { exchangeReader } from "./pages/exchange.ts";
import { renderReport } from "./pages/report.ts";
import { VERDICTS_FILE, type Verdicts } from "./verdicts/run.ts";

/**
 * Writes every report that is made from the events alone into the folder of the run: `junit.xml`, `created.csv`,
 * `observations.md` and, last, `verdicts.json`, whose content it returns.
 */
export async function writeArtifacts(directory: string): Promise<Verdicts> {
  const verdicts = buildVerdicts(readEvents(directory));
  await writeFile(join(directory, "junit.xml"), renderJunit(verdicts));
  await writeFile(join(directory, "created.csv"), renderCreatedCsv(verdicts.created));
  await writeFile(join(directory, "observations.md"), renderObservations(verdicts));
  await writeFile(join(directory, "report.html"), renderReport(verdicts, exchangeReader(directory)));
  return writeVerdicts(directory, verdicts);
}

/** Writes `verdicts.json` by rename, with the digests of all other files in the folder. */
export async function writeVerdicts(directory: string, verdicts: Verdicts): Promise<Verdicts> {
  const complete = { ...verdicts, digests: await digests(directory) };
  const target = join(directory, VERDICTS_FILE);
  const draft = `${target}.${process.pid}.draft`;
  await writeFile(draft, `${JSON.stringify(complete, null, 2)}\n`, { flush: true });
  await rename(draft, target);
  return complete;
}

async function digests(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(VERDICTS_FILE))
    .toSorted();
  const found: Record<string, string> = {};
  for (const path of paths) {
    const content = await readFile(join(directory, path));
    found[path.split(sep).join("/")] = createHash("sha256").update(content).digest("hex");
  }
  return found;
}
