import { styleText } from "node:util";
import type { Environment, Output } from "../command-line/command.ts";
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

/** Whether a terminal shows colours, and its user wants them; respects `NO_COLOR`. */
export const showsColor = (terminal: Output, env: Environment): boolean =>
  terminal.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";

/** A list shows this many texts; `verdicts.json` and the report have all of them. */
const MOST = 20;

/** Puts an empty line above `lines`, if there are any. */
export const paragraph = (lines: readonly string[]) => (lines.length > 0 ? ["", ...lines] : []);

/** Lists texts, each on one line; of a long list only the beginning. */
export const oneLineEach = (texts: readonly string[]): string[] =>
  cut(texts, MOST, (count) => `${count} more in verdicts.json`).map((text) => `  ${printable(text)}`);

/** Longer quotations of a response and longer reasons are cut; the evidence and `verdicts.json` have all of them. */
const LONGEST = 400;

/** Shows rows with their texts under each other, of which each gets one line. */
export function aligned(rows: readonly Row[], margin: string): string[] {
  const cells = rows.flatMap(([label, ...texts]) =>
    texts.map((text, index) => [index === 0 ? label : "", shorten(printable(text), LONGEST)]),
  );
  return alignColumns(cells, 2).map((line) => margin + line);
}
