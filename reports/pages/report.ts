import type { ExchangeReader } from "../verdicts/exchange.ts";
import {
  answersOf,
  countsIn,
  factsOf,
  headline,
  operationTable,
  reasonOf,
  targetName,
} from "../verdicts/headline.ts";
import { moneyRows } from "../verdicts/money.ts";
import { stateOf, type Verdicts } from "../verdicts/verdict.ts";
import { capitalised, plural, shown, time } from "../wording.ts";
import { findingSections, openSection } from "./findings.ts";
import { observationSection } from "./observations.ts";
import { countCell, html, mono, renderReportPage, section, table, verdictMark } from "./page.ts";
import { requirementSection } from "./requirements.ts";

/** Renders `report.html`, the page that a run hands on: complete in itself, readable without scripts and on paper. */
export function renderReport(file: Verdicts, read: ExchangeReader): string {
  const { checks, target, outcome } = file;
  const { problems, findings } = findingSections(file, read);
  return renderReportPage({
    embedded: target.embedded,
    kicker: "Conformance report",
    outcome,
    title: headline(file),
    target: targetName(file),
    text: `${reasonOf(file)}.`,
    answers: answersOf(file),
    figures: countsIn(checks).map(({ state, count }) => [shown[state].word, count.toLocaleString("en-US")]),
    facts: factsOf(file),
    sections: [
      problems,
      operationSection(file),
      ...findings,
      openSection(file),
      waiverSection(file),
      requirementSection(file),
      observationSection(file),
      recordSection(file),
    ],
    origin: html`<p>Made from verdicts.json of this run. Secrets, card data, account numbers and e-mail addresses are redacted.
<code>npm run report -- verify &lt;run folder&gt;</code> derives the verdicts again and compares every file with its digest.</p>`,
  });
}

/** One row for each operation, in the order of the specification. */
function operationSection({ checks }: Verdicts) {
  if (checks.length === 0) return false;
  const { states, rows } = operationTable(checks);
  const cells = rows.map(({ operation: { id, method, route }, state, counts }) => [
    html`<strong>${id}</strong><br><span class="id soft">${method} ${route.replace(/^.*(?=\/external\/)/, "…")}</span>`,
    verdictMark(state),
    ...counts.map(countCell),
  ]);
  const counted = states.map((state) => ({ number: capitalised(shown[state].word) }));
  const operations = table("Operations and their verdicts", ["Operation", "Verdict", ...counted], cells);
  return section("Operations", "Operations", operations);
}

/** The failures that the operator accepted: why, by whom and until when. */
function waiverSection({ waivers, checks }: Verdicts) {
  const rows = waivers.map(({ check, reason, owner, ticket = "", expires }) => {
    const found = checks.find(({ id }) => id === check);
    const state = found ? shown[stateOf(found)].word : "not run";
    return [mono(check), state, reason, owner, ticket, expires];
  });
  const columns = ["Check", "Verdict", "Reason", "Owner", "Ticket", "Valid until"];
  const list = rows.length > 0 && table("Waivers", columns, rows);
  return section("Waivers", `Waivers (${rows.length})`, list);
}

/** What the run left behind: the money that it moved, and the records that no operation of this API can delete. */
function recordSection({ created, money }: Verdicts) {
  const { expected, kept, released } = money;
  const sums = ["Money, in the unit of the currency", { number: "Payouts" }, { number: "Total" }];
  const rejected = plural(released.count, "request");
  const records = created.map(({ operation, reference, identifier = "", at }) => [
    mono(reference),
    mono(identifier),
    operation,
    time(at),
  ]);
  const columns = ["Reference", "Identifier", "Operation", "Time"];
  return section(
    "Money and records",
    "Money and records",
    expected !== undefined &&
      kept.count + released.count > 0 &&
      html`${table("Money", sums, moneyRows(expected, kept))}<p>The API rejected ${rejected} that could have moved money.</p>`,
    created.length > 0 &&
      html`<p>The run created ${plural(created.length, "record")}, which this API cannot delete.</p>
<details><summary>Show every record</summary>
${table("Records that the run created", columns, records)}</details>`,
  );
}
