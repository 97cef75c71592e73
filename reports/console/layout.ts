import { styleText } from "node:util";
import { cut, printable, type Row, type State, shorten, shown } from "../wording.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow";
export type Paint = (style: Style, text: string) => string;

/** Returns a function that colours text for a terminal, or one that changes nothing. */
export const painter =
  (color: boolean): Paint =>
  (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;

const STYLES = { pass: "green", fail: "red", warn: "yellow", open: "yellow", none: "dim" } as const;

export const styleOf = (state: State): Style => STYLES[shown[state].tone];

/** What the sections of the console need to know about their surroundings. */
export interface Layout {
  readonly width: number;
  readonly paint: Paint;
  /** Nothing is cut: the output goes to a file or another program. */
  readonly whole?: boolean;
  /** The folder of the run, which is put before the names of evidence files so that a reader can open them. */
  readonly directory?: string;
}

/** A list shows this many lines; `verdicts.json` has all of them. */
const MOST = 20;

/** Puts an empty line above `lines`, if there are any. */
export const paragraph = (lines: readonly string[]) => (lines.length > 0 ? ["", ...lines] : []);

/** Puts a title above `lines`; without lines there is no section. */
export const section = (title: string, lines: readonly string[], { paint }: Layout, style: Style = "bold") =>
  paragraph(lines.length > 0 ? [paint(style, title), ...lines] : []);

/** Cuts a text to a number of columns, unless nothing is cut here. */
export const fitted = (text: string, width: number, { whole }: Layout) =>
  whole ? printable(text) : shorten(printable(text), width);

/** Shows each text on one line, and in a terminal only the beginning of a long line and of a long list. */
export function oneLineEach(texts: readonly string[], layout: Layout): string[] {
  const { whole, width } = layout;
  const listed = cut(
    texts,
    whole ? Number.POSITIVE_INFINITY : MOST,
    (count) => `${count} more in verdicts.json`,
  );
  return listed.map((text) => `  ${fitted(text, width - 2, layout)}`);
}

/** Shows rows with their texts under each other, of which each gets one line. */
export function aligned(rows: readonly Row[], margin: string, written: (text: string) => string): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.flatMap(([label, ...texts]) =>
    texts.map((text, index) => `${margin}${(index === 0 ? label : "").padEnd(width)}  ${written(text)}`),
  );
}

/** Shows a text on as many lines as it needs. */
export function wrap(text: string, { width }: Layout): string[] {
  const lines: string[] = [];
  let current = " ";
  for (const word of printable(text).split(" ")) {
    if (current.trim() !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = "     ";
    }
    current = `${current} ${word}`;
  }
  return [...lines, current];
}
