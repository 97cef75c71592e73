import { html, type Markup } from "../../../reports/pages/html.ts";
import { section } from "../../../reports/pages/page.ts";
import { throttlingIn, throttlingText } from "../measurements.ts";
import { Histogram } from "../recording/histogram.ts";
import type { Summary } from "../summary.ts";
import { type Axis, COLORS, drawn, type Line } from "./chart.ts";
import { type Moment, momentsOf, type Point, percentileSteps, stepOf } from "./timeline.ts";

const PER_SECOND: Axis = { title: "requests per second", scale: "linear" };
const MILLISECONDS: Axis = { title: "milliseconds", scale: "log" };

/** A run of more seconds shows minutes. */
const LONG_SECONDS = 600;

/** The axis of time, and how many of its units a second is. */
function timeOf(moments: readonly Moment[]): { readonly axis: Axis; readonly unit: number } {
  const isLong = (moments.at(-1)?.second ?? 0) > LONG_SECONDS;
  const title = `${isLong ? "minutes" : "seconds"} since the start of the load`;
  return { axis: { title, scale: "linear" }, unit: isLong ? 1 / 60 : 1 };
}

/** Draws rate, latency and failures over time. */
export async function courseSection({ series }: Summary): Promise<Markup | false> {
  if (series.slices.length === 0) return false;
  const { sliceSeconds } = series;
  const moments = momentsOf(series);
  const { axis: x, unit } = timeOf(moments);
  const inUnits = (points: readonly Point[]) => points.map((point) => ({ ...point, x: point.x * unit }));
  const stepsOf = (value: (moment: Moment) => number | null) =>
    inUnits(moments.flatMap((moment) => stepOf(moment, sliceSeconds, value(moment))));
  const rateOf = (count: (moment: Moment) => number) => stepsOf((moment) => count(moment) / sliceSeconds);

  const rates: Line[] = [
    // Wider than what lies on it, so that it is seen where every request was accepted.
    { name: "sent", color: COLORS.grey, points: rateOf(({ sent }) => sent), width: 6 },
    { name: "accepted", color: COLORS.green, points: rateOf(({ counts }) => counts.accepted) },
  ];
  const latencies: Line[] = [
    ...PERCENTILES.map(([name, color]) => ({
      name,
      color,
      points: inUnits(percentileSteps(moments, name, sliceSeconds)),
    })).filter(({ points }) => points.length > 0),
    {
      name: "slowest",
      color: COLORS.grey,
      points: stepsOf(({ histogram }) => (histogram.count > 0 ? histogram.max : null)),
      width: 1,
    },
  ];
  const failures = FAILURES.map(([column, name, color]) => ({
    color,
    name,
    points: rateOf(({ counts }) => counts[column]),
  }));
  const seen = failures.filter(({ points }) => points.some(({ y }) => y !== 0 && y !== null));
  const throttling = throttlingIn(series);
  return section(
    "course",
    "Over time",
    html`<h3>Rate</h3>
${await drawn({ description: "Requests per second, sent and accepted, over time", x, y: PER_SECOND, lines: rates })}
<h3>Latency</h3>
<p class="soft small">From the moment at which a request was due to the end of its response, all operations together. A
step of a percentile covers as many seconds as it takes for enough responses.</p>
${await drawn({ description: "Latency percentiles over time", x, y: MILLISECONDS, lines: latencies })}
<h3>Refused, throttled and failed</h3>
${
  seen.length === 0
    ? html`<p>Every response was a success.</p>`
    : await drawn({
        description: "Requests per second without success, over time",
        x,
        y: PER_SECOND,
        lines: seen,
      })
}
<p>${throttling ? `${throttlingText(throttling)}.` : "The target did not throttle at this rate."}</p>`,
  );
}

const PERCENTILES = [
  ["p50", COLORS.blue],
  ["p95", COLORS.green],
  ["p99", COLORS.orange],
] as const;

const FAILURES = [
  ["refused", "refused", COLORS.blue],
  ["throttled", "throttled", COLORS.orange],
  ["errors", "errors", COLORS.red],
  ["unknown", "no answer", COLORS.purple],
] as const;

/** Eight neighbouring buckets of a histogram are one step of the drawing. */
const STEPS_PER_DOUBLING = 8;
/** The logarithmic axis has no zero. */
const LEAST_MS = 0.1;

/** Draws how the latencies of each operation are distributed. */
export async function distributionSection({ operations }: Summary): Promise<Markup | false> {
  const all = Object.values(COLORS);
  const lines = Object.entries(operations).flatMap(([name, { histogram }], index): Line[] => {
    const points = sharesOf(Histogram.from(histogram));
    const color = all[index % all.length] ?? COLORS.blue;
    return points.length > 0 ? [{ name, color, points, isStepped: true }] : [];
  });
  if (lines.length === 0) return false;
  const chart = await drawn({
    description: "Distribution of the latency of each operation",
    x: { ...MILLISECONDS, title: "latency in milliseconds" },
    y: { title: "% of the responses", scale: "linear" },
    lines,
  });
  return section("distribution", "Distribution of the latency", chart);
}

function sharesOf(histogram: Histogram): Point[] {
  const shares = new Map<number, number>();
  const indexOf = (milliseconds: number) =>
    Math.floor(Math.log2(Math.max(LEAST_MS, milliseconds)) * STEPS_PER_DOUBLING + 1e-9);
  for (const { from, count } of histogram.buckets()) {
    const step = indexOf(from);
    shares.set(step, (shares.get(step) ?? 0) + (count / histogram.count) * 100);
  }
  if (shares.size === 0) return [];
  const first = Math.min(...shares.keys()) - 1;
  const length = Math.max(...shares.keys()) - first + 2;
  return Array.from({ length }, (_, index) => ({
    x: 2 ** ((first + index) / STEPS_PER_DOUBLING),
    y: shares.get(first + index) ?? 0,
  }));
}
