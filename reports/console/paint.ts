import { styleText } from "node:util";
import { type State, shown } from "../verdicts/words.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow";
export type Paint = (style: Style, text: string) => string;

/** Returns a function that colours text for a terminal, or one that changes nothing. */
export const painter =
  (color: boolean): Paint =>
  (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;

const STYLES = { pass: "green", fail: "red", warn: "yellow", open: "yellow", none: "dim" } as const;

/** The colour of a verdict, a state or an outcome. */
export const styleOf = (state: State): Style => STYLES[shown[state].tone];
