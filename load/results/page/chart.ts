import { raw } from "hono/html";
import { type Mark, parse, type Scale, type Spec, View } from "vega";
import { html, type Markup } from "../../../reports/pages/page.ts";

/** The colours of the page's style, by what they mean here. */
export const COLORS = { blue: 1, green: 2, orange: 3, grey: 4, purple: 5, teal: 6, red: 7 } as const;

export interface Point {
  readonly x: number;
  /** `null` interrupts the line. */
  readonly y: number | null;
}

export interface Line {
  readonly name: string;
  readonly color: number;
  readonly points: readonly Point[];
  readonly width?: number;
}

export interface Chart {
  /** What the chart shows, for those who do not see it. */
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
}

export interface Axis {
  readonly title: string;
  readonly scale: "linear" | "log";
}

/** A wide drawing for a desk and paper, a narrow one for a phone: scaled down, a wide one has letters too small to read. */
const SIZES = [
  { name: "wide-only", width: 820, height: 240 },
  { name: "narrow-only", width: 300, height: 210 },
] as const;

/** What no screen shows of a coordinate. */
const TINY_PARTS = /(\d\.\d{2})\d+/g;

/** Draws a chart, with the names of its lines, in both sizes. */
export async function drawn(chart: Chart): Promise<Markup> {
  const { lines, description } = chart;
  const drawings = await Promise.all(
    SIZES.map(async ({ name, ...size }) => {
      const svg = await new View(parse(specOf(chart, size)), { renderer: "none" }).toSVG();
      return html`<div class="${name}">${raw(svg.replaceAll(TINY_PARTS, "$1"))}</div>`;
    }),
  );
  const names = lines.map(({ name, color }) => html`<li class="key-${color}">${name}</li>`);
  return html`<figure class="chart" role="img" aria-label="${description}">
<ul class="keys">${names}</ul>
${drawings}
</figure>`;
}

function specOf({ x, y, lines }: Chart, size: { width: number; height: number }): Spec {
  const valuesOf = (coordinate: "x" | "y") =>
    lines.flatMap(({ points }) => points.flatMap((point) => point[coordinate] ?? []));
  return {
    ...size,
    padding: 4,
    autosize: { type: "fit", contains: "padding" },
    config: { axis: AXIS_STYLE },
    data: [
      { name: "all", values: lines.flatMap(({ points }) => points) },
      ...lines.map(({ points }, index) => ({ name: `line-${index}`, values: [...points] })),
    ],
    scales: [scaleOf("x", x, "width"), scaleOf("y", y, "height")],
    axes: [
      { scale: "x", orient: "bottom", title: x.title, ...ticksOf(x, valuesOf("x"), size.width / 90) },
      { scale: "y", orient: "left", title: y.title, grid: true, ...ticksOf(y, valuesOf("y"), 5) },
    ],
    marks: lines.map(markOf),
  };
}

function scaleOf(name: "x" | "y", { scale: type }: Axis, range: "width" | "height"): Scale {
  const scale = { name, range, domain: { data: "all", field: name } };
  // A rate is seen against zero, which a logarithmic axis does not have; time starts and ends with the run.
  return type === "log"
    ? { ...scale, type, nice: true }
    : { ...scale, type, nice: name === "y", zero: name === "y" };
}

function markOf({ color, width = 2 }: Line, index: number): Mark {
  return {
    type: "line",
    from: { data: `line-${index}` },
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
  };
}

const FONT = "system-ui, sans-serif";

const AXIS_STYLE = {
  labelFont: FONT,
  titleFont: FONT,
  labelFontSize: 12,
  titleFontSize: 12,
  titleFontWeight: "normal",
  labelColor: "var(--soft)",
  titleColor: "var(--soft)",
  domainColor: "var(--line)",
  tickColor: "var(--line)",
  gridColor: "var(--line)",
} as const;

/** Of a logarithmic axis only some values are marked: a line for each of the others would be too dense. */
const LOG_VALUES = [-1, 0, 1, 2, 3, 4, 5, 6].flatMap((power) => [10 ** power, 3 * 10 ** power]);

function ticksOf({ scale }: Axis, values: readonly number[], tickCount: number) {
  if (scale === "linear") return { tickCount };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const first = LOG_VALUES.findLastIndex((one) => one <= least);
  const last = LOG_VALUES.findIndex((one) => one >= most);
  return { values: LOG_VALUES.slice(Math.max(0, first), last + 1 || undefined), format: "," };
}
