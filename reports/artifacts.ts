import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { buildVerdicts } from "./build-verdicts.ts";
import { SEALED, writeSealedFiles } from "./certificate/certificate.ts";
import { renderSummary } from "./ci/summary.ts";
import { sha256 } from "./digest.ts";
import { readEvents } from "./events/events.ts";
import { writeAllureResults } from "./formats/allure.ts";
import { renderChecksJunit } from "./formats/junit.ts";
import { renderReport } from "./pages/report.ts";
import { exchangeReader } from "./verdicts/exchange.ts";
import { VERDICTS_FILE, type Verdicts } from "./verdicts/run.ts";
import { inertJson } from "./wording.ts";

/**
 * Writes every report that is made from the events alone into the folder of the run: `junit.xml`, `summary.md`,
 * `report.html`, `allure-results/`, `verdicts.json`, whose content it returns, and what names its digest: the certificate,
 * if the run deserves one, and `attestation.json`.
 */
export function writeArtifacts(directory: string): Verdicts {
  const verdicts = buildVerdicts(readEvents(directory));
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content);
  write("junit.xml", renderChecksJunit(verdicts));
  write("summary.md", renderSummary(verdicts));
  write("report.html", renderReport(verdicts, exchangeReader(directory)));
  writeAllureResults(directory, verdicts);
  return writeVerdicts(directory, verdicts);
}

/** Writes `verdicts.json` by rename, with the digests of all other files, and then the files that name its digest. */
function writeVerdicts(directory: string, verdicts: Verdicts): Verdicts {
  const complete = { ...verdicts, digests: digestsOf(directory) };
  const target = join(directory, VERDICTS_FILE);
  const draft = `${target}.${process.pid}.draft`;
  writeFileSync(draft, `${inertJson(complete, 2)}\n`, { flush: true });
  renameSync(draft, target);
  writeSealedFiles(directory, complete);
  return complete;
}

/** The SHA-256 of every file of a run that is not made from `verdicts.json`, by path, in the order of the paths. */
function digestsOf(directory: string): Record<string, string> {
  const isLater = (path: string) => path.startsWith(VERDICTS_FILE) || SEALED.some((name) => name === path);
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !isLater(path))
    .toSorted();
  return Object.fromEntries(paths.map((path) => [path, sha256(readFileSync(join(directory, path)))]));
}
