import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildVerdicts } from "./build-verdicts.ts";
import { isSealed, writeSealedFiles } from "./certificate/sealed-files.ts";
import { renderSummary } from "./ci/summary.ts";
import { readEvents } from "./events/events.ts";
import { writeAllureResults } from "./formats/allure.ts";
import { ALLURE_PAGE } from "./formats/allure-page.ts";
import { renderCreatedCsv } from "./formats/created.ts";
import { renderHar } from "./formats/har.ts";
import { renderChecksJunit } from "./formats/junit.ts";
import { renderObservations } from "./formats/observations.ts";
import { renderReport } from "./pages/report.ts";
import { digestsOf } from "./text/digest.ts";
import { inertJson } from "./text/wording.ts";
import { exchangeReader } from "./verdicts/exchange.ts";
import { VERDICTS_FILE, type Verdicts } from "./verdicts/run.ts";

/**
 * Writes every report that is made from the events alone into the folder of the run: `junit.xml`, `created.csv`,
 * `observations.md`, `summary.md`, `report.html`, `exchanges.har`, `allure-results/`, `verdicts.json`, whose content it
 * returns, and what names its digest: the
 * certificate, if the run deserves one, and `attestation.json`.
 */
export async function writeArtifacts(directory: string): Promise<Verdicts> {
  const verdicts = buildVerdicts(readEvents(directory));
  await writeFile(join(directory, "junit.xml"), renderChecksJunit(verdicts));
  await writeFile(join(directory, "created.csv"), renderCreatedCsv(verdicts.created));
  await writeFile(join(directory, "observations.md"), renderObservations(verdicts));
  await writeFile(join(directory, "summary.md"), renderSummary(verdicts));
  await writeFile(join(directory, "report.html"), renderReport(verdicts, exchangeReader(directory)));
  await writeFile(join(directory, "exchanges.har"), renderHar(directory, verdicts));
  writeAllureResults(directory, verdicts);
  return writeVerdicts(directory, verdicts);
}

/** Writes `verdicts.json` by rename, with the digests of all other files, and then the files that name its digest. */
export async function writeVerdicts(directory: string, verdicts: Verdicts): Promise<Verdicts> {
  const isEvidence = (path: string) =>
    !path.startsWith(VERDICTS_FILE) && !isSealed(path) && path !== ALLURE_PAGE;
  const complete = { ...verdicts, digests: await digestsOf(directory, isEvidence) };
  const target = join(directory, VERDICTS_FILE);
  const draft = `${target}.${process.pid}.draft`;
  await writeFile(draft, `${inertJson(complete, 2)}\n`, { flush: true });
  await rename(draft, target);
  await writeSealedFiles(directory, complete);
  return complete;
}
