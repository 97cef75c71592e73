import { type Paint, painter, type Style } from "../../reports/console/paint.ts";
import type { OperationSummary, Summary } from "../k6/summary.ts";
import { type Percentile, SAMPLES_FOR } from "../k6/thresholds.ts";
import type { Invariant } from "../reconcile/invariants.ts";
import type { Decision } from "./decision.ts";
import type { LoadResult, LoadRun } from "./result.ts";

const DEMONSTRATION = "Demonstration: the embedded sandbox was loaded, and nothing of yours.";
const PERCENTILES = Object.keys(SAMPLES_FOR) as Percentile[];
/** References that are named for a broken invariant; result.json has them all. */
const NAMED = 5;

const STATES: Readonly<Record<Invariant["state"], Style>> = {
  held: "green",
  broken: "red",
  undecided: "yellow",
  warned: "yellow",
};

const OUTCOMES: Readonly<Record<Decision["outcome"], { readonly text: string; readonly style: Style }>> = {
  passed: { text: "PASSED", style: "green" },
  failed: { text: "FAILED", style: "red" },
  undecided: { text: "UNDECIDED", style: "yellow" },
  interrupted: { text: "INTERRUPTED", style: "yellow" },
  error: { text: "ERROR", style: "red" },
};

/** Says what is about to be loaded, and how hard. */
export function renderStart(run: Pick<LoadRun, "target" | "workload" | "profile" | "iterations">): string {
  const { target, workload, profile, iterations } = run;
  const where = target.embedded
    ? "Load on the embedded sandbox, and on nothing of yours: no deployment is configured (.env.example shows how)."
    : `Load on ${target.name ?? target.baseUrl}.`;
  const pace = profile.model === "open" ? `${profile.rate} requests/s` : `at most ${profile.rate} requests/s`;
  return `${where}\n${workload}, ${profile.name}: ${pace} for ${profile.seconds} s, ${iterations} requests.\n`;
}

/** Renders what a person reads first: the measurements, the reconciliation and the verdict. Ends with a line break. */
export function renderResult(
  result: LoadResult,
  options: { readonly color: boolean; readonly directory: string },
): string {
  const paint = painter(options.color);
  const { text, style } = OUTCOMES[result.outcome];
  const lines = [
    ...(result.measured
      ? [
          "",
          ...table(result.measured, paint),
          "",
          ...generatorLines(result, result.measured),
          ...notJudged(result, result.measured),
        ]
      : []),
    ...reconciliation(result, paint),
    ...(result.problems.length > 0 ? ["", ...result.problems] : []),
    "",
    `${paint(style, text)} (exit code ${result.exitCode}): ${result.because}`,
    `Written to ${options.directory}: result.json, run.json, answers.log, k6.log`,
    ...(result.target.embedded ? [DEMONSTRATION] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function table(measured: Summary, paint: Paint): string[] {
  const seconds = measured.durationMs / 1000;
  const rows = Object.entries(measured.operations).map(([name, found]) => [
    name,
    `${found.requests}`,
    (found.requests / seconds).toFixed(1),
    ...PERCENTILES.map((percentile) => milliseconds(found, percentile)),
    milliseconds(found, "max"),
    outcomes(found),
  ]);
  const head = ["", "requests", "per s", ...PERCENTILES.map((name) => `${name} ms`), "max ms", "outcomes"];
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const isText = column === 0 || column === row.length - 1;
        return isText ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
      })
      .join("  ")
      .trimEnd();
  const needs = PERCENTILES.map((name) => `${name} ${SAMPLES_FOR[name]}`).join(", ");
  return [
    paint("faint", line(head)),
    ...rows.map(line),
    paint("faint", `- too few answers to tell; needed: ${needs}`),
  ];
}

function milliseconds({ latencyMs }: OperationSummary, statistic: Percentile | "max"): string {
  const value = latencyMs[statistic];
  if (value === undefined) return "-";
  return value < 100 ? value.toFixed(1) : value.toFixed(0);
}

const outcomes = (found: OperationSummary) =>
  Object.entries(found.outcomes)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ");

function generatorLines({ profile, validity, generator }: LoadResult, measured: Summary): string[] {
  const rate = `${(measured.iterations / (measured.durationMs / 1000)).toFixed(1)} requests/s`;
  if (profile.model === "closed")
    return [`${rate}; a closed loop: its latencies say that it works, not how it holds`];
  const lag = `schedule lag p99 ${(measured.scheduleLagP99Ms ?? 0).toFixed(0)} ms`;
  const cpu =
    generator.cpuShare === undefined ? "" : `, processors ${(generator.cpuShare * 100).toFixed(0)} % busy`;
  return [`${rate} of ${profile.rate}; ${measured.dropped} dropped; ${lag}${cpu}: ${validity}`];
}

/** Objectives that too few requests were planned to judge; nobody should take them for met. */
function notJudged({ objectives }: LoadResult, { operations }: Summary): string[] {
  const unjudged = Object.entries(operations).flatMap(([name, { planned }]) => {
    const limits: Readonly<Partial<Record<string, object>>> = objectives?.latency ?? {};
    const open = PERCENTILES.filter((one) => one in (limits[name] ?? {}) && planned < SAMPLES_FOR[one]);
    return open.length > 0 ? [`${name} ${open.join(" ")}`] : [];
  });
  return unjudged.length > 0 ? [`Objectives not judged, too few answers: ${unjudged.join(", ")}`] : [];
}

function reconciliation({ invariants, reconciled }: LoadResult, paint: Paint): string[] {
  if (invariants.length === 0) return [];
  const width = Math.max(...invariants.map(({ state }) => state.length));
  const compared =
    reconciled > 0
      ? `${reconciled} transfer references compared with the transfer list`
      : "no transfer was sent, so there is nothing to reconcile";
  return [
    "",
    `Correctness under load (${compared}):`,
    ...invariants.flatMap(({ id, title, state, text, references }) => [
      `  ${id}  ${paint(STATES[state], state.padEnd(width))}  ${title}: ${text}`,
      ...(state === "held" || references.length === 0 ? [] : [`      ${named(references)}`]),
    ]),
  ];
}

const named = (references: readonly string[]) =>
  references.length > NAMED
    ? `${references.slice(0, NAMED).join(", ")} and ${references.length - NAMED} more in result.json`
    : references.join(", ");
