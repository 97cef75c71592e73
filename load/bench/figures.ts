/** What a bench found, and how much or how little it may be; without a limit, it is only told. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly most?: number;
  readonly least?: number;
}

/** Whether a figure keeps its limits; one that could not be measured does not. */
export const isKept = ({ value, most = Infinity, least = -Infinity }: Figure) =>
  value <= most && value >= least;

/** One line: the figure, its limit, and whether it is kept. */
export function renderFigure(figure: Figure): string {
  const { what, value, unit, most, least } = figure;
  const limits = [
    most === undefined ? [] : `at most ${most}`,
    least === undefined ? [] : `at least ${least}`,
  ].flat();
  const found = `${what}: ${written(value)} ${unit}`;
  if (limits.length === 0) return `        ${found}`;
  return `${isKept(figure) ? "kept  " : "MISSED"}  ${found} (${limits.join(", ")})`;
}

/** With three digits, or as many as a whole number has. */
export const written = (value: number) =>
  value.toLocaleString("en-US", {
    maximumFractionDigits: Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0,
  });

/** The value in the middle; of an even number of values, the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const around = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return around.reduce((sum, value) => sum + value, 0) / around.length;
}

/** A value at a time in seconds. */
export interface Sample {
  readonly second: number;
  readonly value: number;
}

/** Values are compared as medians of so many seconds, since memory is returned and taken again all the time. */
const WINDOW_SECONDS = 10;

/** How much a value rises above what it was at the end of the first `seconds`, at any time after them. */
export function growthAfter(samples: readonly Sample[], seconds: number): number {
  const windows = new Map<number, number[]>();
  for (const { second, value } of samples) {
    const window = Math.floor(second / WINDOW_SECONDS);
    windows.set(window, [...(windows.get(window) ?? []), value]);
  }
  const last = seconds / WINDOW_SECONDS - 1;
  const base = median(windows.get(last) ?? []);
  return (
    Math.max(...[...windows].filter(([window]) => window > last).map(([, values]) => median(values))) - base
  );
}
