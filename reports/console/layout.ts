import { styleText } from "node:util";
import { alignColumns, cut, printable, type Row, type State, shorten, shown } from "../wording.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow";
export type Paint = (style: Style, text: string) => string;

/** Returns a function that colours text for a terminal, or one that changes nothing. */
export const painter =
  (color: boolean): Paint =>
  (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;

const STYLES = { pass: "green", fail: "red", warn: "yellow", open: "yellow", none: "dim" } as const;

export const styleOf = (state: State): Style => STYLES[shown[state].tone];

/** What the console needs to know about its surroundings. */
export interface Surroundings {
  readonly color: boolean;
  readonly width: number;
  /** Nothing is cut: the output goes to a file or another program. */
  readonly whole?: boolean;
}

/** A list shows this many lines; `verdicts.json` has all of them. */
const MOST = 20;

/** Puts an empty line above `lines`, if there are any. */
export const paragraph = (lines: readonly string[]) => (lines.length > 0 ? ["", ...lines] : []);

export type Layout = ReturnType<typeof layoutOf>;

/** Lays text out for a terminal, or for a file. */
export function layoutOf({ color, width, whole = false }: Surroundings) {
  const paint = painter(color);
  /** Cuts a text to a number of columns, unless nothing is cut here. */
  const fitted = (text: string, columns: number) =>
    whole ? printable(text) : shorten(printable(text), columns);
  return {
    paint,
    /** Puts a title above `lines`; without lines there is no section. */
    section: (title: string, lines: readonly string[], style: Style = "bold") =>
      paragraph(lines.length > 0 ? [paint(style, title), ...lines] : []),
    /** Shows each text on one line, and in a terminal only the beginning of a long line and of a long list. */
    oneLineEach: (texts: readonly string[]) =>
      cut(texts, whole ? texts.length : MOST, (count) => `${count} more in verdicts.json`).map(
        (text) => `  ${fitted(text, width - 2)}`,
      ),
    /** Shows rows with their texts under each other, of which each gets one line of at most `longest` characters. */
    aligned: (rows: readonly Row[], margin: string, longest: number) => {
      const cells = rows.flatMap(([label, ...texts]) =>
        texts.map((text, index) => [index === 0 ? label : "", fitted(text, longest)]),
      );
      return alignColumns(cells, 2).map((line) => margin + line);
    },
    wrap: (text: string) => {
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
    },
  };
}
