import { raw } from "hono/html";
import { parse, type Scale, type Spec, View } from "vega";
import { html, type Markup, section } from "../../../reports/pages/page.ts";
import { addOutcomes, countIn, countOf, throttlingIn } from "../measurements.ts";
import { Histogram } from "../recording/histogram.ts";
import { NEEDED_SAMPLES, type Outcomes, type Series, type Summary, shareOf } from "../result.ts";

/** The colours of the page's style, by what they mean here. */
const COLORS = { blue: 1, green: 2, orange: 3, grey: 4, purple: 5, red: 6 } as const;

interface Step {
  readonly from: number;
  readonly to: number;
  readonly y: number | null;
}

interface Line {
  readonly name: string;
  readonly color: number;
  readonly steps: readonly Step[];
  readonly width?: number;
}

interface Axis {
  readonly title: string;
  readonly isLog?: boolean;
}

/** A wide drawing for a desk and paper, a narrow one for a phone: scaled down, a wide one has letters too small to read. */
const SIZES = [
  { name: "wide-only", width: 820, height: 240 },
  { name: "narrow-only", width: 300, height: 210 },
] as const;

/** What no screen shows of a coordinate. */
const TINY_PARTS = /(\d\.\d{2})\d+/g;

/** Draws lines over time in both sizes, with their names; `description` says what they show to those who do not see it. */
async function drawn(description: string, time: string, y: Axis, lines: readonly Line[]): Promise<Markup> {
  const drawings = await Promise.all(
    SIZES.map(async (size) => {
      const svg = await new View(parse(specOf(time, y, lines, size)), { renderer: "none" }).toSVG();
      return html`<div class="${size.name}">${raw(svg.replaceAll(TINY_PARTS, "$1"))}</div>`;
    }),
  );
  const names = lines.map(({ name, color }) => html`<li class="key-${color}">${name}</li>`);
  return html`<figure class="chart" role="img" aria-label="${description}">
<ul class="keys">${names}</ul>
${drawings}
</figure>`;
}

function specOf(time: string, y: Axis, lines: readonly Line[], size: (typeof SIZES)[number]): Spec {
  const pointsOf = ({ steps }: Line) => steps.flatMap(({ from, to, y }) => [from, to].map((x) => ({ x, y })));
  const all = lines.flatMap(pointsOf);
  const common = { name: "y", range: "height", domain: { data: "all", field: "y" } } as const;
  // A rate is seen against zero, which a logarithmic axis does not have.
  const yScale: Scale = y.isLog
    ? { ...common, type: "log", nice: true }
    : { ...common, type: "linear", nice: true, zero: true };
  const ticks = y.isLog
    ? { format: ",", values: logTicks(all.flatMap((point) => point.y ?? [])) }
    : { tickCount: 5 };
  return {
    width: size.width,
    height: size.height,
    padding: 4,
    autosize: { type: "fit", contains: "padding" },
    config: { axis: { labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" } },
    data: [
      { name: "all", values: all },
      ...lines.map((line) => ({ name: line.name, values: pointsOf(line) })),
    ],
    scales: [
      { name: "x", type: "linear", zero: false, range: "width", domain: { data: "all", field: "x" } },
      yScale,
    ],
    axes: [
      { scale: "x", title: time, tickCount: size.width / 90, orient: "bottom" },
      { scale: "y", title: y.title, ...ticks, orient: "left", grid: true },
    ],
    marks: lines.map(({ name, color, width = 2 }) => ({
      type: "line",
      from: { data: name },
      encode: {
        enter: {
          x: { scale: "x", field: "x" },
          y: { scale: "y", field: "y" },
          defined: { signal: "isValid(datum.y)" },
          stroke: { value: `var(--line-${color})` },
          strokeWidth: { value: width },
          strokeJoin: { value: "round" },
        },
      },
    })),
  };
}

/** Of a logarithmic axis only some values are marked: a line for each of the others would be too dense. */
const LOG_TICKS = [-1, 0, 1, 2, 3, 4, 5, 6].flatMap((power) => [10 ** power, 3 * 10 ** power]);

function logTicks(values: readonly number[]): number[] {
  const first = LOG_TICKS.findLastIndex((one) => one <= Math.min(...values));
  const last = LOG_TICKS.findIndex((one) => one >= Math.max(...values));
  return LOG_TICKS.slice(Math.max(0, first), last + 1 || undefined);
}

/** A run of more seconds shows minutes. */
const LONG_SECONDS = 600;

/** Lists what happened in each slice without a gap; the last one, which is cut short, is left out where there are others. */
function courseOf({ sliceSeconds, slices }: Series) {
  const last = Math.max(0, ...slices.map(({ second }) => second));
  const isLong = last - sliceSeconds > LONG_SECONDS;
  const unit = isLong ? 1 / 60 : 1;
  const bySecond = new Map(slices.map(({ second, operations }) => [second, Object.values(operations)]));
  const moments = Array.from({ length: Math.max(1, Math.round(last / sliceSeconds)) }, (_, index) => {
    const second = index * sliceSeconds;
    const all = bySecond.get(second) ?? [];
    const histogram = all.reduce((sum, one) => sum.addAll(one.histogram), new Histogram());
    return { from: second * unit, to: (second + sliceSeconds) * unit, outcomes: addOutcomes(all), histogram };
  });
  return { title: `${isLong ? "minutes" : "seconds"} since the start of the load`, moments };
}

type Moments = ReturnType<typeof courseOf>["moments"];

/** The steps of a percentile over time: each covers as many slices as it takes to have enough responses. */
function percentileSteps(moments: Moments, percentile: "p50" | "p95" | "p99"): Step[] {
  const steps: Step[] = [];
  let start: number | undefined;
  let window = new Histogram();
  for (const { from, to, histogram } of moments) {
    start ??= from;
    window.addAll(histogram);
    if (window.count < NEEDED_SAMPLES[percentile]) continue;
    steps.push({ from: start, to, y: window.percentile(shareOf(percentile)) });
    start = undefined;
    window = new Histogram();
  }
  return steps;
}

const PERCENTILES = [
  ["p50", COLORS.blue],
  ["p95", COLORS.green],
  ["p99", COLORS.orange],
] as const;

const FAILURES = [
  ["as asked", "rejected as asked", COLORS.grey],
  ["rejected", "rejected, although valid", COLORS.blue],
  ["throttled", "throttled", COLORS.orange],
  ["errors", "errors", COLORS.red],
  ["unknown", "no response", COLORS.purple],
] as const;

const RATE = { title: "requests per second" };

/** Draws rate, latency and failures over time. */
export async function courseSection({ series }: Summary) {
  if (series.slices.length === 0) return false;
  const { title, moments } = courseOf(series);
  const rateOf = (count: (outcomes: Outcomes) => number): Step[] =>
    moments.map(({ from, to, outcomes }) => ({ from, to, y: count(outcomes) / series.sliceSeconds }));
  const rates = [
    // Wider than what lies on it, so that it is seen where every request was accepted.
    { name: "sent", color: COLORS.grey, steps: rateOf(countOf), width: 6 },
    { name: "accepted", color: COLORS.green, steps: rateOf((outcomes) => countIn("accepted", outcomes)) },
  ];
  const slowest = moments.map(({ from, to, histogram: { count, max } }) => {
    return { from, to, y: count > 0 ? max : null };
  });
  const latencies: Line[] = [
    ...PERCENTILES.map(([name, color]) => ({ name, color, steps: percentileSteps(moments, name) })),
    { name: "slowest", color: COLORS.grey, steps: slowest, width: 1 },
  ];
  const failures = FAILURES.map(([column, name, color]) => ({
    name,
    color,
    steps: rateOf((outcomes) => countIn(column, outcomes)),
  })).filter(({ steps }) => steps.some(({ y }) => y !== 0));
  const draw = (what: string, y: Axis, lines: readonly Line[]) => drawn(`${what} over time`, title, y, lines);
  const throttling = throttlingIn(series);
  return section(
    "Over time",
    "Over time",
    html`<h3>Rate</h3>
${await draw("Requests per second, sent and accepted,", RATE, rates)}
<h3>Latency</h3>
<p class="soft small">From the moment at which a request was due to the end of its response, all operations together. A
step of a percentile covers as many seconds as it takes for enough responses.</p>
${await draw(
  "Latency percentiles",
  { title: "milliseconds", isLog: true },
  latencies.filter(({ steps }) => steps.length > 0),
)}
<h3>Rejected, throttled and failed</h3>
${
  failures.length === 0
    ? html`<p>Every response was a success.</p>`
    : await draw("Requests per second without success,", RATE, failures)
}
<p>${throttling ? `${throttling}.` : "The target did not throttle at this rate."}</p>`,
  );
}
