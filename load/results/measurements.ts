import type { Paint } from "../../reports/console/paint.ts";
import { plural } from "../../reports/wording.ts";
import { type LatencyObjectives, PERCENTILES, type Percentile } from "../k6/thresholds.ts";
import { countIn, failuresIn, OUTCOME_COLUMNS } from "./outcome-counts.ts";
import type { LoadResult, Validity } from "./result.ts";
import {
  NEEDED_SAMPLES,
  type OperationSummary,
  type ReportedPercentile,
  type Series,
  type Summary,
} from "./summary.ts";

/** Renders what was measured: a table of the operations, the rate, and the objectives that were not judged. */
export function measurementLines(result: LoadResult, measured: Summary, paint: Paint): string[] {
  const throttling = throttlingIn(measured.series);
  return [
    ...table(measured, paint),
    ...failureLines(measured),
    "",
    rateLine(result, measured),
    ...(throttling ? [throttlingText(throttling)] : []),
    ...unjudgedObjectives(result, measured),
  ];
}

/** What became of the requests of each operation, with its latencies in milliseconds; the first row is the head. */
export const operationRows = (
  { operations, durationMs }: Summary,
  percentiles: readonly ReportedPercentile[],
): (string | number)[][] => [
  ["operation", "sent", ...OUTCOME_COLUMNS, "per s", ...[...percentiles, "max"].map((name) => `${name} ms`)],
  ...Object.entries(operations).map(([name, found]) => [
    name,
    found.requests,
    ...OUTCOME_COLUMNS.map((column) => countIn(column, found.outcomes)),
    perSecond(found.requests, durationMs),
    ...[...percentiles, "max" as const].map((one) => latencyText(found, one)),
  ]),
];

function table(measured: Summary, paint: Paint): string[] {
  const [head = [], ...rows] = operationRows(measured, PERCENTILES).map((row) => row.map(String));
  const [first = "", ...others] = alignColumns([["", ...head.slice(1)], ...rows]);
  const needed = PERCENTILES.map((name) => `${name} ${NEEDED_SAMPLES[name]}`).join(", ");
  return [paint("dim", first), ...others, paint("dim", `- means too few responses (needed: ${needed})`)];
}

function failureLines({ operations }: Summary): string[] {
  return Object.entries(operations).flatMap(([name, { outcomes }]) => {
    const failures = failuresIn(outcomes);
    return failures === "" ? [] : [`${name}: ${failures}`];
  });
}

export const perSecond = (count: number, durationMs: number) => (count / (durationMs / 1000)).toFixed(1);

/** Writes a percentile of an operation in milliseconds; `-` if there were too few responses for it. */
export function latencyText(
  { latencyMs }: Pick<OperationSummary, "latencyMs">,
  statistic: keyof OperationSummary["latencyMs"],
): string {
  const value = latencyMs[statistic];
  if (value === undefined) return "-";
  return value.toFixed(value < 100 ? 1 : 0);
}

const VALIDITIES: Readonly<Record<Validity, string>> = {
  valid: "valid",
  "generator-limited": "generator-limited, so the latencies are not the target's",
  "target-limited": "target-limited, so the target did not get the full rate",
};

/** Says at which rate k6 sent, and whether it kept its schedule. */
export function rateLine(
  { profile, iterations, validity, generator }: LoadResult,
  measured: Summary,
): string {
  const rate = perSecond(measured.iterations, measured.durationMs);
  if (profile.model === "closed")
    return `${rate} requests/s in a ${profile.name} run; its latencies do not represent load`;
  const facts = [
    `${rate} of ${Number((iterations / profile.seconds).toFixed(1))} requests/s`,
    `${plural(measured.dropped, "iteration")} dropped`,
    `p99 of the schedule lag ${(measured.scheduleLagP99Ms ?? 0).toFixed(0)} ms`,
    ...(generator.cpuShare === undefined
      ? []
      : [`k6 used ${(generator.cpuShare * 100).toFixed(0)} % of the CPU`]),
  ];
  return `${facts.join(", ")}: ${VALIDITIES[validity]}`;
}

/** A reader must not take an objective that was not judged for one that was met. */
export function unjudgedObjectives({ objectives }: LoadResult, { operations }: Summary): string[] {
  const unjudged = Object.entries(operations).flatMap(([name, { latencyMs }]) => {
    const limits: LatencyObjectives = objectives?.latency?.[name] ?? {};
    const tooFew = PERCENTILES.filter(
      (one: Percentile) => limits[one] !== undefined && latencyMs[one] === undefined,
    );
    return tooFew.length > 0 ? [`${name} ${tooFew.join(" ")}`] : [];
  });
  return unjudged.length > 0 ? [`Too few responses to judge these objectives: ${unjudged.join(", ")}`] : [];
}

/** Aligns the cells of rows: the first `texts` columns to the left, figures to the right. */
export function alignColumns(rows: readonly (readonly string[])[], texts = 1): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const pad = (cell: string, column: number) =>
    column < texts ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column));
  return rows.map((row) => row.map(pad).join("  ").trimEnd());
}

/** Where the target began to throttle. */
interface Throttling {
  /** Seconds since the start of the load. */
  readonly second: number;
  /** What k6 sent per second when the first 429 or 503 came. */
  readonly sentPerSecond: number;
  /** What the target let through per second while it throttled, on average. */
  readonly servedPerSecond: number;
}

/** Finds where a run began to be throttled; `undefined` if it was not. */
export function throttlingIn({ sliceSeconds, slices }: Series): Throttling | undefined {
  const counted = slices.map(({ second, operations }) => {
    const outcomes = Object.values(operations).flatMap((one) => Object.entries(one.outcomes));
    const sumOf = (isCounted: (outcome: string) => boolean) =>
      outcomes.reduce((sum, [outcome, count]) => sum + (isCounted(outcome) ? count : 0), 0);
    return {
      second,
      sent: sumOf(() => true),
      throttled: sumOf((outcome) => outcome === "throttled"),
    };
  });
  const throttled = counted.filter((slice) => slice.throttled > 0);
  const [first] = throttled;
  if (!first) return undefined;
  // In the first slice the target throttled for a part of the time only.
  const whole = throttled.length > 1 ? throttled.slice(1) : throttled;
  const served = whole.reduce((sum, slice) => sum + slice.sent - slice.throttled, 0);
  return {
    second: first.second,
    sentPerSecond: first.sent / sliceSeconds,
    servedPerSecond: served / whole.length / sliceSeconds,
  };
}

export const throttlingText = ({ second, sentPerSecond, servedPerSecond }: Throttling): string =>
  `The target began to throttle (429, or 503 with Retry-After) at ${sentPerSecond.toFixed(1)} requests/s, ${second} s into the load, and served ${servedPerSecond.toFixed(1)}/s while it throttled`;
