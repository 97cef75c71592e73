import { html, section } from "../../../reports/pages/page.ts";
import { throttlingIn } from "../measurements.ts";
import { countIn, OUTCOME_COLUMNS } from "../outcome-counts.ts";
import { Histogram } from "../recording/histogram.ts";
import { NEEDED_SAMPLES, type Series, type Summary, shareOf } from "../summary.ts";
import { type Axis, COLORS, drawn, type Line, type Point } from "./chart.ts";

const PER_SECOND: Axis = { title: "requests per second", scale: "linear" };
const MILLISECONDS: Axis = { title: "milliseconds", scale: "log" };

/** A run of more seconds shows minutes. */
const LONG_SECONDS = 600;

/** What happened in one slice of a run; its times are in the unit of the axis. */
interface Moment {
  readonly from: number;
  readonly to: number;
  readonly outcomes: readonly Parameters<typeof countIn>[1][];
  /** Of all operations. */
  readonly histogram: Histogram;
}

/**
 * Lists the slices of a run without a gap, and the axis of their times. The last slice is left out where there are others:
 * it covers only a part of its seconds, and its rate would look like a fall.
 */
export function courseOf({ sliceSeconds, slices }: Series) {
  const last = Math.max(0, ...slices.map(({ second }) => second));
  const isLong = last - sliceSeconds > LONG_SECONDS;
  const unit = isLong ? 1 / 60 : 1;
  const bySecond = new Map(slices.map((slice) => [slice.second, slice]));
  const moments = Array.from({ length: Math.max(1, Math.round(last / sliceSeconds)) }, (_, index) => {
    const second = index * sliceSeconds;
    const operations = Object.values(bySecond.get(second)?.operations ?? {});
    const histogram = new Histogram();
    for (const one of operations) histogram.addAll(Histogram.from(one.histogram));
    const outcomes = operations.map((one) => one.outcomes);
    return { from: second * unit, to: (second + sliceSeconds) * unit, outcomes, histogram };
  });
  const title = `${isLong ? "minutes" : "seconds"} since the start of the load`;
  const axis: Axis = { title, scale: "linear" };
  return { axis, moments };
}

/** A value that holds from one place of the axis to another; `null` interrupts the line. */
const step = (from: number, to: number, y: number | null): Point[] => [
  { x: from, y },
  { x: to, y },
];

const PERCENTILES = [
  ["p50", COLORS.blue],
  ["p95", COLORS.green],
  ["p99", COLORS.orange],
] as const;

const FAILURES = [
  ["refused", "refused", COLORS.blue],
  ["throttled", "throttled", COLORS.orange],
  ["errors", "errors", COLORS.red],
  ["unknown", "no response", COLORS.purple],
] as const;

/** Draws rate, latency and failures over time. */
export async function courseSection({ series }: Summary) {
  if (series.slices.length === 0) return false;
  const { axis: x, moments } = courseOf(series);
  const rateOf = (...columns: Parameters<typeof countIn>[0][]) =>
    moments.flatMap(({ from, to, outcomes }) => {
      const counts = outcomes.flatMap((some) => columns.map((column) => countIn(column, some)));
      return step(from, to, counts.reduce((sum, count) => sum + count, 0) / series.sliceSeconds);
    });

  const rates: Line[] = [
    // Wider than what lies on it, so that it is seen where every request was accepted.
    { name: "sent", color: COLORS.grey, points: rateOf(...OUTCOME_COLUMNS), width: 6 },
    { name: "accepted", color: COLORS.green, points: rateOf("accepted") },
  ];
  const latencies: Line[] = [
    ...PERCENTILES.map(([name, color]) => ({ name, color, points: percentileSteps(moments, name) })),
    {
      name: "slowest",
      color: COLORS.grey,
      points: moments.flatMap(({ from, to, histogram }) =>
        step(from, to, histogram.count > 0 ? histogram.max : null),
      ),
      width: 1,
    },
  ];
  const failures = FAILURES.map(([column, name, color]) => ({ color, name, points: rateOf(column) })).filter(
    ({ points }) => points.some(({ y }) => y !== 0),
  );
  const throttling = throttlingIn(series);
  return section(
    "course",
    "Over time",
    "Over time",
    html`<h3>Rate</h3>
${await drawn({ description: "Requests per second, sent and accepted, over time", x, y: PER_SECOND, lines: rates })}
<h3>Latency</h3>
<p class="soft small">From the moment at which a request was due to the end of its response, all operations together. A
step of a percentile covers as many seconds as it takes for enough responses.</p>
${await drawn({ description: "Latency percentiles over time", x, y: MILLISECONDS, lines: latencies.filter(({ points }) => points.length > 0) })}
<h3>Refused, throttled and failed</h3>
${
  failures.length === 0
    ? html`<p>Every response was a success.</p>`
    : await drawn({
        description: "Requests per second without success, over time",
        x,
        y: PER_SECOND,
        lines: failures,
      })
}
<p>${throttling ? `${throttling}.` : "The target did not throttle at this rate."}</p>`,
  );
}

/** The steps of a percentile over time: each covers as many slices as it takes to have enough responses. */
export function percentileSteps(
  moments: readonly Moment[],
  percentile: (typeof PERCENTILES)[number][0],
): Point[] {
  const points: Point[] = [];
  let start: number | undefined;
  let window = new Histogram();
  for (const { from, to, histogram } of moments) {
    start ??= from;
    window.addAll(histogram);
    if (window.count < NEEDED_SAMPLES[percentile]) continue;
    points.push(...step(start, to, window.percentile(shareOf(percentile))));
    start = undefined;
    window = new Histogram();
  }
  return points;
}

/** Eight neighbouring buckets of a histogram are one step of the drawing. */
const STEPS_PER_DOUBLING = 8;
/** The logarithmic axis has no zero. */
const LEAST_MS = 0.1;

/** Draws how the latencies of each operation are distributed. */
export async function distributionSection({ operations }: Summary) {
  const all = Object.values(COLORS);
  const lines = Object.entries(operations).flatMap(([name, { histogram }], index): Line[] => {
    const points = sharesOf(Histogram.from(histogram));
    return points.length > 0 ? [{ name, color: all[index % all.length] ?? COLORS.blue, points }] : [];
  });
  if (lines.length === 0) return false;
  const chart = await drawn({
    description: "Distribution of the latency of each operation",
    x: { ...MILLISECONDS, title: "latency in milliseconds" },
    y: { title: "% of the responses", scale: "linear" },
    lines,
  });
  return section("distribution", "Distribution", "Distribution of the latency", chart);
}

function sharesOf(histogram: Histogram): Point[] {
  const shares = new Map<number, number>();
  for (const { from, count } of histogram.buckets()) {
    const place = Math.floor(Math.log2(Math.max(LEAST_MS, from)) * STEPS_PER_DOUBLING + 1e-9);
    shares.set(place, (shares.get(place) ?? 0) + (count / histogram.count) * 100);
  }
  if (shares.size === 0) return [];
  // The line begins and ends at zero.
  const first = Math.min(...shares.keys()) - 1;
  const length = Math.max(...shares.keys()) - first + 2;
  const edge = (place: number) => 2 ** (place / STEPS_PER_DOUBLING);
  return Array.from({ length }, (_, index) => first + index).flatMap((place) =>
    step(edge(place), edge(place + 1), shares.get(place) ?? 0),
  );
}
