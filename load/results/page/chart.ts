import { raw } from "hono/html";
import { parse, type Scale, type Spec, View } from "vega";
import { html, type Markup } from "../../../reports/pages/page.ts";

/** The colours of the page's style, by what they mean here. */
export const COLORS = { blue: 1, green: 2, orange: 3, grey: 4, purple: 5, teal: 6, red: 7 } as const;

/** A value that holds from one place of the x axis to another; `null` interrupts the line. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly y: number | null;
}

export interface Line {
  readonly name: string;
  readonly color: number;
  readonly steps: readonly Step[];
  readonly width?: number;
}

export interface Axis {
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

/** Draws lines in both sizes, with their names; `description` says what they show to those who do not see it. */
export async function drawn(description: string, x: Axis, y: Axis, lines: readonly Line[]): Promise<Markup> {
  const drawings = await Promise.all(
    SIZES.map(async (size) => {
      const svg = await new View(parse(specOf(x, y, lines, size)), { renderer: "none" }).toSVG();
      return html`<div class="${size.name}">${raw(svg.replaceAll(TINY_PARTS, "$1"))}</div>`;
    }),
  );
  const names = lines.map(({ name, color }) => html`<li class="key-${color}">${name}</li>`);
  return html`<figure class="chart" role="img" aria-label="${description}">
<ul class="keys">${names}</ul>
${drawings}
</figure>`;
}

function specOf(x: Axis, y: Axis, lines: readonly Line[], size: (typeof SIZES)[number]): Spec {
  const pointsOf = ({ steps }: Line) => steps.flatMap(({ from, to, y }) => [from, to].map((x) => ({ x, y })));
  const all = lines.flatMap(pointsOf);
  const scaleOf = (name: "x" | "y", { isLog = false }: Axis, range: "width" | "height"): Scale => {
    const scale = { name, range, domain: { data: "all", field: name } };
    // A rate is seen against zero, which a logarithmic axis does not have; time starts and ends with the run.
    const isY = name === "y";
    return isLog ? { ...scale, type: "log", nice: true } : { ...scale, type: "linear", nice: isY, zero: isY };
  };
  const ticksOf = (name: "x" | "y", { title, isLog = false }: Axis, tickCount: number) =>
    isLog
      ? { scale: name, title, format: ",", values: logTicks(all.flatMap((point) => point[name] ?? [])) }
      : { scale: name, title, tickCount };
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
    scales: [scaleOf("x", x, "width"), scaleOf("y", y, "height")],
    axes: [
      { ...ticksOf("x", x, size.width / 90), orient: "bottom" },
      { ...ticksOf("y", y, 5), orient: "left", grid: true },
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
