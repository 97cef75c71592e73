import { printable, shorten } from "../wording.ts";
import type { Paint, Style } from "./paint.ts";

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

/** Cuts a text to so many columns, unless nothing is cut here. */
export const fitted = (text: string, width: number, { whole }: Layout) =>
  whole ? printable(text) : shorten(printable(text), width);

/** Shows each text on one line, and in a terminal only the beginning of a long line and of a long list. */
export function oneLineEach(texts: readonly string[], { width, whole }: Layout): string[] {
  if (whole) return texts.map((text) => `  ${printable(text)}`);
  const shown = texts.slice(0, MOST).map((text) => `  ${shorten(printable(text), width - 2)}`);
  const rest = texts.length - shown.length;
  return rest > 0 ? [...shown, `  ${rest} more in verdicts.json`] : shown;
}

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
