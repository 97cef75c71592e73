import { duration, pageHead, time } from "../../../reports/pages/head.ts";
import { html, type Markup } from "../../../reports/pages/html.ts";
import {
  facts,
  type NamedSection,
  renderSections,
  section,
  table,
  verdictMark,
} from "../../../reports/pages/page.ts";
import { formatAmount, plural } from "../../../reports/wording.ts";
import { keyFigures, latencyNote, OTHER_LIMITS, targetOf, titleOf } from "../headline.ts";
import { operationRows, perSecond, rateLine, unjudgedObjectives } from "../measurements.ts";
import { failuresIn, requestsIn } from "../outcome-counts.ts";
import type { LoadResult, Validity } from "../result.ts";
import { NEEDED_SAMPLES, REPORTED_PERCENTILES, type Summary } from "../summary.ts";
import { lateness, mostLagMs } from "../validity.ts";
import { courseSection, distributionSection } from "./charts.ts";
import { STYLE } from "./style.ts";

/** Renders `load.html`: complete in itself, readable without scripts and on paper. */
export async function renderLoadPage(result: LoadResult): Promise<string> {
  const { measured } = result;
  const sections: readonly NamedSection[] = [
    ["problems", "Problems", problemSection(result)],
    ["operations", "Operations", measured ? operationSection(measured) : false],
    ["course", "Over time", measured ? await courseSection(measured) : false],
    ["distribution", "Distribution", measured ? await distributionSection(measured) : false],
    ["thresholds", "Thresholds", measured ? thresholdSection(result, measured) : false],
    ["invariants", "Correctness", invariantSection(result)],
    ["validity", "Validity", measured ? validitySection(result, measured) : false],
    ["money", "Money", moneySection(result)],
  ];
  return renderSections(
    `${titleOf(result)}: ${targetOf(result)}`,
    head(result),
    sections,
    html`<p>Made from result.json of this run, which has every figure of this page. Percentiles are read from histograms whose buckets
are at most 1.6 % wide.</p>`,
    STYLE,
  );
}

function head(result: LoadResult): Markup {
  const { target, workload, profile, outcome, because, measured, startedAt, finishedAt, suite, runners } =
    result;
  return pageHead({
    embedded: target.embedded,
    kicker: "Load report",
    outcome,
    title: titleOf(result),
    text: `${targetOf(result)}: ${because}.`,
    facts: facts([
      ["Target", targetOf(result)],
      ["Base URL", html`<span class="id">${target.baseUrl}</span>`],
      ["Workload", workload],
      ["Profile", `${profile.name}: ${profileText(profile)}`],
      ...(runners === undefined
        ? ([
            [
              "Loaded",
              `${time(startedAt)}, for ${duration(startedAt, finishedAt)} with the lookup of the transfers`,
            ],
          ] as const)
        : ([
            ["Prepared", time(startedAt)],
            ["Merged", `${time(finishedAt)}, from the logs of ${plural(runners, "runner")}`],
          ] as const)),
      [
        "Suite",
        html`payments-conformance ${suite.version}, commit <span class="id">${suite.commit.slice(0, 12)}</span>, k6 ${result.k6}`,
      ],
      ["Run", html`<span class="id">${result.runId}</span>`],
      ["Command", html`<code>${result.command}</code>`],
      ["Exit code", `${result.exitCode}`],
    ]),
    figures: measured
      ? [
          ...keyFigures(measured).map(({ label, value, note, isBad }) => {
            const shown = isBad ? html`<span class="bad">${value}</span>` : value;
            return [note ? `${label} (${note})` : label, shown] as const;
          }),
          ["requests sent", requestsIn(measured).toLocaleString("en-US")],
          ["accepted", requestsIn(measured, (outcome) => outcome === "accepted").toLocaleString("en-US")],
          ["requests per second", perSecond(measured.iterations, measured.durationMs)],
        ]
      : [],
  });
}

const profileText = ({ model, rate, seconds }: LoadResult["profile"]) =>
  model === "open"
    ? `${rate} requests per second for ${seconds} s, whether or not the target keeps up`
    : `at most ${rate} requests per second, each virtual user waiting for its response`;

const problemSection = ({ problems }: LoadResult): Markup | false =>
  problems.length > 0 &&
  section(
    "problems",
    "Problems of the suite",
    html`<ul>${problems.map((one) => html`<li>${one}</li>`)}</ul>`,
  );

function operationSection(measured: Summary): Markup | false {
  const operations = Object.entries(measured.operations);
  const percentiles = REPORTED_PERCENTILES.filter(
    (one) => one !== "p99.9" || operations.some(([, { latencyMs }]) => latencyMs[one] !== undefined),
  );
  const [[, ...titles] = [], ...rows] = operationRows(measured, percentiles);
  const needed = REPORTED_PERCENTILES.map((one) => `${one} ${NEEDED_SAMPLES[one].toLocaleString("en-US")}`);
  return section(
    "operations",
    "Operations",
    table(
      "Operations, what became of their requests, and their latency",
      ["Operation", ...titles.map((title) => ({ number: `${title}` }))],
      rows.map(([name = "", ...cells]) => [
        html`<strong>${name}</strong>${failures(measured.operations[name]?.outcomes ?? {})}`,
        ...cells.map((cell) => (typeof cell === "number" ? counted(cell) : cell)),
      ]),
    ),
    html`<p class="soft small">Refused: the API declined in a documented way. Errors: server errors, authentication errors,
malformed responses and failed connections. Unknown: no response, so the request may have been carried out. Latencies are in
milliseconds; a dash means too few responses (needed: ${needed.join(", ")}).</p>`,
  );
}

function failures(outcomes: Parameters<typeof failuresIn>[0]): Markup | false {
  const found = failuresIn(outcomes);
  return found !== "" && html`<br><span class="soft">${found}</span>`;
}

const counted = (count: number): Markup | string =>
  count > 0 ? count.toLocaleString("en-US") : html`<span class="zero">0</span>`;

function thresholdSection(result: LoadResult, measured: Summary): Markup | false {
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
    rows.length > 0 && table("Thresholds and whether the run kept them", ["Threshold", "Verdict"], rows),
    hasDefault && html`<p>A default limit stands where SLO gives none: ${OTHER_LIMITS}.</p>`,
    note !== undefined &&
      html`<p>In this run, ${note}: the specification has no performance requirement, and SLO names the objectives.</p>`,
    unjudged.length > 0 && html`<p>${unjudged.join(". ")}.</p>`,
  );
}

function invariantSection({ invariants, reconciled }: LoadResult): Markup | false {
  const scope =
    reconciled > 0
      ? `${plural(reconciled, "transfer reference")} looked up in the transfer list after the load.`
      : "No transfers were sent, so none was looked up.";
  const rows = invariants.map(({ id, title, state, text, references }) => [
    html`<strong>${id}</strong> ${title}`,
    verdictMark(state),
    html`${text}${state !== "held" && references.length > 0 && referenceList(references)}`,
  ]);
  return (
    invariants.length > 0 &&
    section(
      "invariants",
      "Correctness under load",
      html`<p>${scope}</p>`,
      table("Invariants and their verdicts", ["Invariant", "Verdict", "Found"], rows),
    )
  );
}

const referenceList = (references: readonly string[]) =>
  html`<details><summary>${plural(references.length, "reference")}</summary><p class="ids id">${references.join(" ")}</p></details>`;

const VALIDITIES: Readonly<Record<Exclude<Validity, "generator-limited">, string>> = {
  valid: "The latencies are the target's: the generator kept its schedule.",
  "target-limited":
    "The latencies are the target's, but it was so slow that the generator could not send every request on time.",
};

function validitySection(result: LoadResult, measured: Summary): Markup | false {
  const { profile, validity, generator, iterations, stopped } = result;
  const { why, remedy } = lateness(measured, generator);
  if (profile.model === "closed")
    return section("validity", "Validity of the measurement", html`<p>${rateLine(result, measured)}.</p>`);
  return section(
    "validity",
    "Validity of the measurement",
    html`<p>${validity === "generator-limited" ? `The latencies are not the target's: ${why}. To get them, ${remedy}.` : VALIDITIES[validity]}</p>`,
    facts([
      ["Scheduled", plural(iterations, "request")],
      ["Started", plural(measured.iterations, "request")],
      ["Stopped early", stopped],
      ["Dropped", dropped(measured.dropped)],
      [
        "Schedule lag",
        `${(measured.scheduleLagP99Ms ?? 0).toFixed(0)} ms at p99 (at most ${mostLagMs(measured).toFixed(0)} ms in a valid run)`,
      ],
      [
        "Generator CPU",
        generator.cpuShare === undefined
          ? `unknown ${result.runners === undefined ? "on this system" : "on the machines of the runners"}`
          : `${(generator.cpuShare * 100).toFixed(0)} % of this machine (at most 85 % in a valid run)`,
      ],
      [
        "CPU of all programs",
        generator.machineShare === undefined
          ? undefined
          : `${(generator.machineShare * 100).toFixed(0)} % of this machine`,
      ],
    ]),
  );
}

const dropped = (count: number) =>
  `${plural(count, "request")}${count > 0 ? ", because no virtual user was free" : ""}`;

function moneySection({ money: { planned, kept, limit } }: LoadResult): Markup | false {
  if (planned.count === 0) return false;
  const sum = ({ count, total }: { readonly count: number; readonly total: number }) =>
    `${plural(count, "payout")}, ${formatAmount(total)} in total`;
  const cap = (value: number | null, write: (given: number) => string) =>
    value === null ? "none" : write(value);
  return section(
    "money",
    "Money",
    facts([
      ["Planned", sum(planned)],
      ["Made or unknown", sum(kept)],
      ["MAX_PAYOUTS", cap(limit.count, (count) => count.toLocaleString("en-US"))],
      ["MAX_PAYOUT_TOTAL", cap(limit.total, formatAmount)],
    ]),
  );
}
