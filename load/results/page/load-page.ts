import {
  countCell,
  duration,
  facts,
  html,
  mono,
  renderReportPage,
  section,
  styleSheet,
  table,
  time,
  verdictMark,
} from "../../../reports/pages/page.ts";
import { targetName } from "../../../reports/verdicts/headline.ts";
import { formatAmount, plural } from "../../../reports/wording.ts";
import { keyFigures, latencyNote, OTHER_LIMITS, titleOf } from "../headline.ts";
import { operationRows, perSecond, rateLine, unjudgedObjectives } from "../measurements.ts";
import { failuresIn, requestsIn } from "../outcome-counts.ts";
import type { LoadResult, Validity } from "../result.ts";
import { NEEDED_SAMPLES, REPORTED_PERCENTILES, type Summary } from "../result.ts";
import { lateness, mostLagMs } from "../validity.ts";
import { courseSection, distributionSection } from "./charts.ts";

/** What a load report needs in addition: its figures come first, and it has charts, whose colours differ in lightness too. */
const STYLE = styleSheet(new URL("./style.css", import.meta.url));

/** Renders `load.html`: complete in itself, readable without scripts and on paper. */
export async function renderLoadPage(result: LoadResult): Promise<string> {
  const { measured } = result;
  return renderReportPage({
    embedded: result.target.embedded,
    kicker: "Load report",
    outcome: result.outcome,
    title: titleOf(result),
    target: targetName(result),
    text: `${result.because}.`,
    figures: measured ? figuresOf(measured) : [],
    facts: runFacts(result),
    sections: [
      problemSection(result),
      measured ? operationSection(measured) : false,
      measured ? await courseSection(measured) : false,
      measured ? await distributionSection(measured) : false,
      measured ? thresholdSection(result, measured) : false,
      invariantSection(result),
      measured ? validitySection(result, measured) : false,
      moneySection(result),
    ],
    origin: html`<p>Made from result.json of this run, which has every figure of this page. Percentiles are read from histograms whose buckets
are at most 1.6 % wide.</p>`,
    style: STYLE,
  });
}

const figuresOf = (measured: Summary) => [
  ...keyFigures(measured).map(
    ({ label, value, note, isBad }) =>
      [note ? `${label} (${note})` : label, isBad ? html`<span class="bad">${value}</span>` : value] as const,
  ),
  ["requests sent", requestsIn(measured).toLocaleString("en-US")] as const,
  ["accepted", requestsIn(measured, (outcome) => outcome === "accepted").toLocaleString("en-US")] as const,
  ["requests per second", perSecond(measured.iterations, measured.durationMs)] as const,
];

/** What was loaded, how hard, when and how. */
function runFacts(result: LoadResult) {
  const { target, workload, profile, startedAt, finishedAt, suite, runners } = result;
  const when =
    runners === undefined
      ? ([
          ["Loaded", `${time(startedAt)}, for ${duration(result)} with the lookup of the transfers`],
        ] as const)
      : ([
          ["Prepared", time(startedAt)],
          ["Merged", `${time(finishedAt)}, from the logs of ${plural(runners, "runner")}`],
        ] as const);
  return [
    ["Target", targetName(result)],
    ["Base URL", mono(target.baseUrl)],
    ["Workload", workload],
    ["Profile", `${profile.name}: ${profileText(profile)}`],
    ...when,
    [
      "Suite",
      html`payments-conformance ${suite.version}, commit ${mono(suite.commit.slice(0, 12))}, k6 ${result.k6}`,
    ],
    ["Run", mono(result.runId)],
    ["Command", html`<code>${result.command}</code>`],
    ["Exit code", `${result.exitCode}`],
  ] as const;
}

const profileText = ({ model, rate, seconds }: LoadResult["profile"]) =>
  model === "open"
    ? `${rate} requests per second for ${seconds} s, whether or not the target keeps up`
    : `at most ${rate} requests per second, each virtual user waiting for its response`;

const problemSection = ({ problems }: LoadResult) =>
  section(
    "problems",
    "Problems",
    "Problems of the suite",
    problems.length > 0 && html`<ul>${problems.map((one) => html`<li>${one}</li>`)}</ul>`,
  );

function operationSection(measured: Summary) {
  const operations = Object.entries(measured.operations);
  const percentiles = REPORTED_PERCENTILES.filter(
    (one) => one !== "p99.9" || operations.some(([, { latencyMs }]) => latencyMs[one] !== undefined),
  );
  const [[, ...titles] = [], ...rows] = operationRows(measured, percentiles);
  const needed = REPORTED_PERCENTILES.map((one) => `${one} ${NEEDED_SAMPLES[one].toLocaleString("en-US")}`);
  return section(
    "operations",
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
    html`<p class="soft small">Refused: the API declined in a documented way. Errors: server errors, authentication errors,
malformed responses and failed connections. Unknown: no response, so the request may have been carried out. Latencies are in
milliseconds; a dash means too few responses (needed: ${needed.join(", ")}).</p>`,
  );
}

function thresholdSection(result: LoadResult, measured: Summary) {
  const rows = measured.thresholds.map(({ text, ok, isJudged = true }) => [
    text,
    verdictMark(!isJudged ? "unjudged" : ok ? "held" : "broken"),
  ]);
  const [note] = latencyNote(measured);
  const hasDefault = measured.thresholds.some(({ isDefault }) => isDefault);
  const unjudged = unjudgedObjectives(result, measured);
  return section(
    "thresholds",
    "Thresholds",
    "Thresholds",
    rows.length > 0 && table("Thresholds and whether the run kept them", ["Threshold", "Verdict"], rows),
    hasDefault && html`<p>Where SLO gives no limit, a default limit applies: ${OTHER_LIMITS}.</p>`,
    note !== undefined &&
      html`<p>In this run, ${note}: the specification has no performance requirement, and SLO names the objectives.</p>`,
    unjudged.length > 0 && html`<p>${unjudged.join(". ")}.</p>`,
  );
}

function invariantSection({ invariants, reconciled }: LoadResult) {
  if (invariants.length === 0) return false;
  const scope =
    reconciled > 0
      ? `${plural(reconciled, "transfer reference")} looked up in the transfer list after the load.`
      : "No transfers were sent, so none was looked up.";
  const rows = invariants.map(({ id, title, state, text, references }) => [
    html`<strong>${id}</strong> ${title}`,
    verdictMark(state),
    html`${text}${
      state !== "held" &&
      references.length > 0 &&
      html`<details><summary>${plural(references.length, "reference")}</summary><p class="ids id">${references.join(" ")}</p></details>`
    }`,
  ]);
  return section(
    "invariants",
    "Correctness",
    "Correctness under load",
    html`<p>${scope}</p>`,
    table("Invariants and their verdicts", ["Invariant", "Verdict", "Found"], rows),
  );
}

const VALIDITIES: Readonly<Record<Exclude<Validity, "generator-limited">, string>> = {
  valid: "The latencies are the target's: the generator kept its schedule.",
  "target-limited":
    "The latencies are the target's, but it was so slow that the generator could not send every request on time.",
};

function validitySection(result: LoadResult, measured: Summary) {
  const { profile, validity, generator, iterations, stopped, runners } = result;
  const { why, remedy } = lateness(measured, generator);
  const isOpen = profile.model === "open";
  const judged =
    validity === "generator-limited"
      ? `The latencies are not the target's: ${why}. To get them, ${remedy}.`
      : VALIDITIES[validity];
  const unknown = `unknown ${runners === undefined ? "on this system" : "on the machines of the runners"}`;
  const share = (of: number) => `${(of * 100).toFixed(0)} % of this machine`;
  const busy = measured.dropped > 0 ? ", because no virtual user was free" : "";
  return section(
    "validity",
    "Validity",
    "Validity of the measurement",
    html`<p>${isOpen ? judged : `${rateLine(result, measured)}.`}</p>`,
    isOpen &&
      facts([
        ["Scheduled", plural(iterations, "request")],
        ["Started", plural(measured.iterations, "request")],
        ["Stopped early", stopped],
        ["Dropped", `${plural(measured.dropped, "request")}${busy}`],
        [
          "Schedule lag",
          `${(measured.scheduleLagP99Ms ?? 0).toFixed(0)} ms at p99 (at most ${mostLagMs(measured).toFixed(0)} ms in a valid run)`,
        ],
        [
          "Generator CPU",
          generator.cpuShare === undefined
            ? unknown
            : `${share(generator.cpuShare)} (at most 85 % in a valid run)`,
        ],
        [
          "CPU of all programs",
          generator.machineShare === undefined ? undefined : share(generator.machineShare),
        ],
      ]),
  );
}

function moneySection({ money: { planned, kept, limit } }: LoadResult) {
  if (planned.count === 0) return false;
  const sum = ({ count, total }: typeof kept) =>
    `${plural(count, "payout")}, ${formatAmount(total)} in total`;
  const sums = facts([
    ["Planned", sum(planned)],
    ["Made or unknown", sum(kept)],
    ["MAX_PAYOUTS", limit.count === null ? "none" : limit.count.toLocaleString("en-US")],
    ["MAX_PAYOUT_TOTAL", limit.total === null ? "none" : formatAmount(limit.total)],
  ]);
  return section("money", "Money", "Money", sums);
}
