import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { buildVerdicts } from "./build-verdicts.ts";
import { SEALED, sealedFiles } from "./certificate/certificate.ts";
import { sha256 } from "./digest.ts";
import { readEvents } from "./events/events.ts";
import { writeAllureResults } from "./formats/allure.ts";
import { renderChecksJunit } from "./formats/junit.ts";
import { renderReport } from "./pages/report.ts";
import { exchangeReader } from "./verdicts/exchange.ts";
import { VERDICTS_FILE, type Verdicts } from "./verdicts/verdict.ts";
import { inertJson } from "./wording.ts";

/**
 * Writes every report that is made from the events alone into the folder of the run: `junit.xml`, `report.html`,
 * `allure-results/`, `verdicts.json`, whose content it returns, and what names its digest: the certificate, if the run
 * deserves one, and `attestation.json`.
 */
export function writeArtifacts(directory: string): Verdicts {
  const verdicts = buildVerdicts(readEvents(directory));
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content);
  // An earlier call may have written a certificate that the run does not deserve.
  for (const name of SEALED) rmSync(join(directory, name), { force: true });
  write("junit.xml", renderChecksJunit(verdicts));
  write("report.html", renderReport(verdicts, exchangeReader(directory)));
  writeAllureResults(directory, verdicts);
  const complete = { ...verdicts, digests: digestsOf(directory) };
  const text = `${inertJson(complete, 2)}\n`;
  // By rename, so that no reader sees half of it.
  const draft = `${VERDICTS_FILE}.${process.pid}.draft`;
  writeFileSync(join(directory, draft), text, { flush: true });
  renameSync(join(directory, draft), join(directory, VERDICTS_FILE));
  for (const [name, content] of Object.entries(sealedFiles(complete, text))) write(name, content);
  return complete;
}

/** The SHA-256 of every file of a run that is not made from `verdicts.json`, by path, in the order of the paths. */
function digestsOf(directory: string): Record<string, string> {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.startsWith(VERDICTS_FILE))
    .toSorted();
  return Object.fromEntries(paths.map((path) => [path, sha256(readFileSync(join(directory, path)))]));
}
