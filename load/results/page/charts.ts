import { html, type Markup, section } from "../../../reports/pages/page.ts";
import { countIn, countOf, limitIn } from "../measurements.ts";
import { Histogram } from "../recording/histogram.ts";
import { addUp } from "../recording/summary.ts";
import { NEEDED_SAMPLES, PERCENTILES, type Series, type Summary, shareOf } from "../result.ts";

/** What a line shows between two moments; nothing where `y` is absent. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly y: number | undefined;
}

interface Line {
  readonly name: string;
  /** One of the colours of the page's style. */
  readonly key: number;
  readonly steps: readonly Step[];
}

const HEIGHT = 200;
/** Room for the label of the highest value. */
const TOP = 20;
/** The browser stretches a drawing of this width to the width of the page; letters keep their size. */
const WIDTH = 1000;

/** Draws lines over time, with their names; `description` says what they show to those who do not see it. */
function chart(description: string, unit: string, lines: readonly Line[]): Markup {
  const all = lines.flatMap(({ steps }) => steps);
  const end = Math.max(...all.map(({ to }) => to));
  const marks = marksFor(all.flatMap(({ y }) => y ?? []));
  const yOf = (value: number) => Math.round(HEIGHT - (value / (marks.at(-1) ?? 1)) * (HEIGHT - TOP));
  const xOf = (moment: number) => Math.round((moment / end) * WIDTH);
  const pathOf = ({ steps }: Line) =>
    steps.map(({ from, to, y }, index) => {
      if (y === undefined) return "";
      return `${steps[index - 1]?.y === undefined ? "M" : "L"}${xOf(from)} ${yOf(y)}H${xOf(to)}`;
    });
  const place = (share: number, anchor: string) =>
    html`<text x="${share * 100}%" y="${HEIGHT + 16}" text-anchor="${anchor}">${Number((end * share).toPrecision(3))}</text>`;
  return html`<figure class="chart" role="img" aria-label="${description} over time">
<ul class="keys">${lines.map(({ name, key }) => html`<li class="key-${key}">${name}</li>`)}</ul>
<svg width="100%" height="${HEIGHT + 20}">
${marks.map((mark) => html`<line x2="100%" y1="${yOf(mark)}" y2="${yOf(mark)}"/><text y="${yOf(mark) - 4}">${mark.toLocaleString("en-US")}</text>`)}
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" height="${HEIGHT}" preserveAspectRatio="none" overflow="visible">
${lines.map((line) => html`<path class="key-${line.key} ${line.name}" d="${pathOf(line).join("")}"/>`)}
</svg>
${[place(0, "start"), place(0.5, "middle"), place(1, "end")]}
</svg>
<figcaption class="soft small">${unit}, by seconds since the start of the load</figcaption>
</figure>`;
}

/** Round values from 0 to the highest one or a little above it. */
function marksFor(values: readonly number[]): number[] {
  const highest = Math.max(...values) || 1;
  const power = 10 ** Math.floor(Math.log10(highest / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one * 4 >= highest) ?? highest;
  return [0, 1, 2, 3, 4].map((index) => Number((index * step).toPrecision(3)));
}

/** Lists what happened in each slice; the last one, which is cut short, is left out where there are others. */
const momentsIn = ({ sliceSeconds, slices }: Series) =>
  slices.slice(0, Math.max(1, slices.length - 1)).map(({ second: from, operations }) => {
    return { from, to: from + sliceSeconds, ...addUp(Object.values(operations)) };
  });

type Moments = ReturnType<typeof momentsIn>;

/** The steps of a percentile over time: each covers as many slices as it takes to have enough responses. */
function percentileSteps(moments: Moments, percentile: (typeof PERCENTILES)[number]): Step[] {
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

const RATES = [
  ["sent", "sent", 4],
  ["accepted", "accepted", 2],
] as const;

const FAILURES = [
  ["as asked", "rejected as asked", 4],
  ["rejected", "rejected, although valid", 1],
  ["throttled", "throttled", 3],
  ["errors", "errors", 6],
  ["unknown", "no response", 5],
] as const;

/** Draws rate, latency and failures over time. */
export function courseSection({ series }: Summary) {
  const moments = momentsIn(series);
  const rateLines = (columns: typeof RATES | typeof FAILURES): Line[] =>
    columns.map(([column, name, key]) => ({
      name,
      key,
      steps: moments.map(({ from, to, outcomes }) => {
        const count = column === "sent" ? countOf(outcomes) : countIn(column, outcomes);
        return { from, to, y: count / series.sliceSeconds };
      }),
    }));
  const latencies = PERCENTILES.map((name, index) => {
    return { name, key: index + 1, steps: percentileSteps(moments, name) };
  });
  const draw = (what: string, unit: string, given: readonly Line[], otherwise: string) => {
    const lines = given.filter(({ steps }) => steps.some(({ y }) => y));
    return lines.length > 0 ? chart(what, unit, lines) : html`<p>${otherwise}</p>`;
  };
  const perSecond = "requests per second";
  const limit = limitIn(series);
  return section(
    "Over time",
    "Over time",
    html`<h3>Rate</h3>
${draw("Requests per second, sent and accepted,", perSecond, rateLines(RATES), "Nothing was sent.")}
<h3>Latency</h3>
<p class="soft small">From the moment at which a request was due to the end of its response, all operations together. A
step of a percentile covers as many seconds as it takes for enough responses.</p>
${draw("Latency percentiles", "milliseconds", latencies, "Too few responses for a percentile.")}
<h3>Rejected, throttled and failed</h3>
${draw("Requests per second without success,", perSecond, rateLines(FAILURES), "Every response was a success.")}
<p>${limit ? `${limit}.` : "The target neither throttled nor failed at this rate."}</p>`,
  );
}
