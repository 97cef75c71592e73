import {
  countCell,
  facts,
  html,
  mono,
  renderReportPage,
  section,
  styleSheet,
  table,
  verdictMark,
} from "../../../reports/pages/page.ts";
import { targetName } from "../../../reports/verdicts/headline.ts";
import { countOf, totalOf } from "../../../reports/verdicts/money.ts";
import { capitalised, plural, shown, time } from "../../../reports/wording.ts";
import {
  failuresIn,
  keyFigures,
  latencyNote,
  operationRows,
  rateLine,
  scheduleOf,
  scopeOf,
  stateOf,
} from "../measurements.ts";
import { type LoadResult, NEEDED_SAMPLES, REPORTED_PERCENTILES, type Summary } from "../result.ts";
import { lateness } from "../validity.ts";
import { courseSection } from "./charts.ts";

/** What a load report needs in addition: its figures come first, and it has charts, whose colours differ in lightness too. */
const STYLE = styleSheet(new URL("./style.css", import.meta.url));

/** Renders `load.html`: complete in itself, readable without scripts and on paper. */
export function renderLoadPage(result: LoadResult): string {
  const { measured, problems } = result;
  return renderReportPage({
    embedded: result.target.embedded,
    kicker: "Load report",
    outcome: result.outcome,
    title: `${capitalised(shown[result.outcome].word)} under load`,
    target: targetName(result),
    text: `${result.because}.`,
    figures: measured ? figuresOf(measured) : [],
    facts: runFacts(result),
    sections: [
      problems.length > 0 &&
        section(
          "Problems",
          "Problems of the suite",
          html`<ul>${problems.map((one) => html`<li>${one}</li>`)}</ul>`,
        ),
      ...(measured ? [operationSection(measured), courseSection(measured), thresholdSection(measured)] : []),
      invariantSection(result),
      measured !== undefined && validitySection(result, measured),
      moneySection(result),
    ],
    origin: html`<p>Made from result.json of this run, which has every figure of this page. Percentiles are read from histograms whose buckets
are at most 1.6 % wide.</p>`,
    style: STYLE,
  });
}

const figuresOf = (measured: Summary) =>
  keyFigures(measured).map(({ label, value, note, isBad }) => {
    const name = note ? `${label} (${note})` : label;
    return [name, isBad ? html`<span class="bad">${value}</span>` : value] as const;
  });

function runFacts(result: LoadResult) {
  const { target, workload, profile, startedAt, finishedAt, suite, runners, k6 } = result;
  const merged = runners === undefined ? "" : `, merged from the logs of ${plural(runners, "runner")}`;
  return [
    ["Target", targetName(result)],
    ["Base URL", mono(target.baseUrl)],
    ["Workload", workload],
    ["Profile", `${profile.name}: ${scheduleOf(result)}`],
    ["Started", time(startedAt)],
    ["Finished", `${time(finishedAt)}, with the lookup of the transfers${merged}`],
    [
      "Suite",
      html`payments-conformance ${suite.version}, commit ${mono(suite.commit.slice(0, 12))}, k6 ${k6}`,
    ],
    ["Run", mono(result.runId)],
    ["Command", html`<code>${result.command}</code>`],
    ["Exit code", `${result.exitCode}`],
  ] as const;
}

function operationSection(measured: Summary) {
  const operations = Object.entries(measured.operations);
  const percentiles = REPORTED_PERCENTILES.filter(
    (one) => one !== "p99.9" || operations.some(([, { latencyMs }]) => latencyMs[one] !== undefined),
  );
  const [[, ...titles] = [], ...rows] = operationRows(measured, percentiles);
  const needed = REPORTED_PERCENTILES.map((one) => `${one} ${NEEDED_SAMPLES[one].toLocaleString("en-US")}`);
  return section(
    "Operations",
    "Operations",
    table(
      "Operations, what became of their requests, and their latency",
      ["Operation", ...titles.map((title) => ({ number: `${title}` }))],
      rows.map(([name = "", ...cells]) => {
        const failures = failuresIn(measured.operations[name]?.outcomes ?? {});
        return [
          html`<strong>${name}</strong>${failures !== "" && html`<br><span class="soft">${failures}</span>`}`,
          ...cells.map((cell) => (typeof cell === "number" ? countCell(cell) : cell)),
        ];
      }),
    ),
    html`<p class="soft small">As asked: rejections that a request
asked for, or may get because it repeats another one or looks up what need not be listed yet. Rejected: rejections of valid requests, which
count as failures. Errors: server errors, authentication errors,
malformed responses and failed connections. Unknown: no response, so the request may have been carried out. Latencies are in
milliseconds; a dash means too few responses (needed: ${needed.join(", ")}).</p>`,
  );
}

function thresholdSection(measured: Summary) {
  const { thresholds } = measured;
  const rows = thresholds.map((threshold) => [threshold.text, verdictMark(stateOf(threshold))]);
  const [note] = latencyNote(measured);
  return section(
    "Thresholds",
    "Thresholds",
    rows.length > 0 && table("Thresholds and whether the run kept them", ["Threshold", "Verdict"], rows),
    note !== undefined &&
      html`<p>In this run, ${note}: the specification has no performance requirement, and SLO names the objectives.</p>`,
  );
}

function invariantSection(result: LoadResult) {
  const rows = result.invariants.map(({ id, title, state, text, references }) => [
    html`<strong>${id}</strong> ${title}`,
    verdictMark(state),
    html`${text}${
      state !== "held" &&
      references.length > 0 &&
      html`<details><summary>${plural(references.length, "reference")}</summary><p class="ids id">${references.join(" ")}</p></details>`
    }`,
  ]);
  return (
    rows.length > 0 &&
    section(
      "Correctness",
      "Correctness under load",
      html`<p>${capitalised(scopeOf(result))}.</p>`,
      table("Invariants and their verdicts", ["Invariant", "Verdict", "Found"], rows),
    )
  );
}

function validitySection(result: LoadResult, measured: Summary) {
  const { why, remedy } = lateness(measured);
  return section(
    "Validity",
    "Validity of the measurement",
    html`<p>${rateLine(result, measured)}.</p>`,
    result.validity === "generator-limited" &&
      html`<p>Reason: ${why}. To get valid latencies, ${remedy}.</p>`,
  );
}

function moneySection({ money: { planned, kept, limit } }: LoadResult) {
  const sum = (of: typeof kept) => `${countOf(of)}, ${totalOf(of)}`;
  const sums = facts([
    ["Planned", sum(planned)],
    ["Made or unknown", sum(kept)],
    ["MAX_PAYOUTS", countOf(limit)],
    ["MAX_PAYOUT_TOTAL", totalOf(limit)],
  ]);
  return section("Money", "Money", planned.count > 0 && sums);
}
