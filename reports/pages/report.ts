import { groupBy } from "../grouping.ts";
import type { ExchangeReader } from "../verdicts/exchange.ts";
import {
  answersOf,
  headline,
  leftOpen,
  reasonOf,
  talliesByOperation,
  talliesFor,
  targetName,
} from "../verdicts/headline.ts";
import { countsOf, expectedOf, totalsOf } from "../verdicts/money.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type CheckResult, hasVerdict, isExcluded, type Verdict } from "../verdicts/verdict.ts";
import { capitalised } from "../verdicts/words.ts";
import { formatAmount, plural } from "../wording.ts";
import { findingSections, openSection, problemSection } from "./findings.ts";
import { observationSection } from "./observations.ts";
import {
  countCell,
  duration,
  facts,
  html,
  type Markup,
  mono,
  renderReportPage,
  section,
  table,
  time,
  verdictMark,
} from "./page.ts";
import { requirementSection } from "./requirements.ts";

/** Renders `report.html`, the page that a run hands on: complete in itself, readable without scripts and on paper. */
export function renderReport(file: Verdicts, read: ExchangeReader): string {
  const open = leftOpen(file.checks);
  const selected = file.selected ? "The operator selected some of the checks; the others were not run. " : "";
  return renderReportPage({
    embedded: file.target.embedded,
    kicker: "Conformance report",
    outcome: file.outcome,
    title: headline(file),
    target: targetName(file),
    text: `${reasonOf(file)}. ${selected}${open && `Left undecided: ${open}.`}`,
    answers: answersOf(file),
    figures: talliesFor(file.checks).map(({ title, counts }) => [
      title,
      file.checks.filter(counts).length.toLocaleString("en-US"),
    ]),
    facts: runFacts(file),
    sections: [
      problemSection(file),
      operationSection(file),
      baselineSection(file),
      ...findingSections(file, read),
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

/** What was tested, with which version of the suite, when and how. */
function runFacts(file: Verdicts) {
  const { target, suite, command, seed, hardened, strict } = file;
  const isLive = target.environment === "live";
  const modes = [...(hardened ? ["hardened"] : []), ...(strict ? ["strict"] : [])];
  return [
    ["Target", targetName(file)],
    ["Base URL", mono(target.baseUrl)],
    ["Environment", isLive ? "live (environment separation only)" : target.environment],
    ["Tested", `${time(file.startedAt)}, for ${duration(file)}`],
    ["Suite", html`payments-conformance ${suite.version}, commit ${mono(suite.commit.slice(0, 12))}`],
    ["Seed", `${seed}`],
    ["Command", html`<code>${command}</code>`],
    ["Modes", modes.join(", ")],
    ["Exit code", `${file.exitCode}`],
  ] as const;
}

/** One row for each operation, in the order of the specification; a narrowed run shows only its own. */
function operationSection({ checks, outOfScope, selected }: Verdicts) {
  if (checks.length === 0) return false;
  const { tallies, rows } = talliesByOperation(checks, selected);
  const cells = rows.map(({ operation: { id, method, route }, own }) => [
    html`<strong>${id}</strong><br><span class="id soft">${method} ${route.replace(/^.*(?=\/external\/)/, "…")}</span>`,
    verdictMark(outOfScope.includes(id) ? "excluded" : stateOf(own)),
    ...tallies.map(({ counts }) => countCell(own.filter(counts).length)),
  ]);
  const columns = ["Operation", "Verdict", ...tallies.map(({ title }) => ({ number: capitalised(title) }))];
  const operations = table("Operations and their verdicts", columns, cells);
  return section("operations", "Operations", "Operations", operations);
}

/** The verdict on an operation, from its MUST checks and its failures; a warning only shows where they all passed. */
function stateOf(checks: readonly CheckResult[]) {
  const has = (wanted: Verdict) => checks.some(hasVerdict(wanted));
  const must = checks.filter(({ level }) => level === "MUST");
  const worst = (["suite-error", "fail", "waived"] as const).find(has);
  if (worst) return worst;
  if (must.some((check) => check.verdict !== "pass" && !isExcluded(check))) return "open";
  return has("warn") ? "warn" : must.length > 0 ? "pass" : "none";
}

/** What changed since the earlier run that the gate was given. */
function baselineSection({ baseline }: Verdicts) {
  if (!baseline) return false;
  const { path, startedAt, newFailures, fixed, known } = baseline;
  const changes = facts([
    ["Baseline", html`<code>${path}</code> of ${time(startedAt)}`],
    [`New failures (${newFailures.length})`, newFailures.join(", ")],
    [`Fixed (${fixed.length})`, fixed.join(", ")],
    [`Known (${known.length})`, known.join(", ")],
  ]);
  return section("baseline", "Since the baseline", "Since the baseline", changes);
}

/** The failures that the operator accepted: why, by whom and until when. */
function waiverSection({ waivers, checks }: Verdicts) {
  const rows = waivers.map(({ check, reason, owner, ticket = "", expires }) => {
    const verdict = checks.find(({ id }) => id === check)?.verdict ?? "not run";
    return [mono(check), verdict, reason, owner, ticket, expires];
  });
  const columns = ["Check", "Verdict", "Reason", "Owner", "Ticket", "Valid until"];
  const list = rows.length > 0 && table("Waivers", columns, rows);
  return section("waivers", "Waivers", `Waivers (${rows.length})`, list);
}

/** What the run left behind: the money that it moved, and the records that no operation of this API can delete. */
function recordSection({ created, money }: Verdicts) {
  const hasMoved = money.kept.count + money.released.count > 0;
  return section(
    "records",
    "Money and records",
    "Money and records",
    hasMoved && moneyFacts(money),
    created.length > 0 && recordList(created),
  );
}

function moneyFacts(money: Verdicts["money"]): Markup {
  const { worst, kept, released, limit } = money;
  const expected = expectedOf(money);
  const sum = ({ count, total }: typeof kept) =>
    `${plural(count, "payout")}, ${formatAmount(total)} in total`;
  const caps = [
    ...(limit.count === null ? [] : [`at most ${plural(limit.count, "payout")}`]),
    ...(limit.total === null ? [] : [`at most ${formatAmount(limit.total)}`]),
  ];
  return facts([
    ["Made or unknown", sum(kept)],
    ["Expected", `${countsOf(expected)}, ${totalsOf(expected)}`],
    ["Worst case", worst && sum(worst)],
    ["Rejected by the API", plural(released.count, "request")],
    ["Caps", caps.join(", ") || "none"],
  ]);
}

function recordList(created: Verdicts["created"]): Markup {
  const counts = [...groupBy(created, ({ operation }) => operation)].map(
    ([operation, { length }]) => `${length} by ${operation}`,
  );
  const rows = created.map(({ operation, reference, identifier = "", at }) => [
    mono(reference),
    mono(identifier),
    operation,
    time(at),
  ]);
  const columns = ["Reference", "Identifier", "Operation", "Time"];
  return html`<p>The run created ${plural(created.length, "record")}, which this API cannot delete: ${counts.join(", ")}.</p>
<details><summary>Show every record (also in created.csv)</summary>
${table("Records that the run created", columns, rows)}</details>`;
}
