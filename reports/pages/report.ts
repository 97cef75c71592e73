import type { ExchangeReader } from "../verdicts/exchange.ts";
import { headline, targetName } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import {
  failureSection,
  inconclusiveSection,
  openSection,
  problemSection,
  warningSection,
} from "./findings.ts";
import { reportHead } from "./head.ts";
import { html } from "./html.ts";
import { matrixSection } from "./matrix.ts";
import { observationSection } from "./observations.ts";
import { operationSection } from "./operations.ts";
import { type NamedSection, renderSections } from "./page.ts";
import { baselineSection, recordSection, waiverSection } from "./records.ts";

/** Renders `report.html`, the page that a run hands on: complete in itself, readable without scripts and on paper. */
export function renderReport(file: Verdicts, read: ExchangeReader): string {
  const sections: readonly NamedSection[] = [
    ["problems", "Problems", problemSection(file)],
    ["operations", "Operations", operationSection(file)],
    ["baseline", "Since the baseline", baselineSection(file)],
    ["failures", "Failures", failureSection(file, read)],
    ["warnings", "Warnings", warningSection(file, read)],
    ["inconclusive", "Inconclusive", inconclusiveSection(file, read)],
    ["not-tested", "Not tested", openSection(file)],
    ["waivers", "Waivers", waiverSection(file)],
    ["requirements", "Requirements", matrixSection(file)],
    ["observations", "Observations", observationSection(file)],
    ["records", "Money and records", recordSection(file)],
  ];
  return renderSections(
    `${headline(file)}: ${targetName(file)}`,
    reportHead(file),
    sections,
    html`<p>Made from verdicts.json of this run. Secrets, card data, account numbers and e-mail addresses are redacted.
<code>npm run report -- verify &lt;run folder&gt;</code> derives the verdicts again and compares every file with its digest.</p>`,
  );
}
