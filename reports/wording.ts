/** Control characters, and marks that reorder text, in what a target returned. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/**
 * The first character of what the runner of a job would obey: GitHub where a line begins with `::`, which a word does
 * once a line is wrapped; Azure, TeamCity and, for old commands, GitHub wherever a line has `##[` or `##word[`.
 */
const COMMAND = /(?<!\S):(?=:)|#(?=#\w*\[)/g;

const COUNTS = new Intl.NumberFormat("en-US");
const AMOUNTS = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 });

/**
 * Replaces every control character with an escape, and the beginning of every command to the runner of a job, so that
 * text from the target stays one line of plain text. Each text that people or programs read line by line passes here.
 */
export const printable = (text: string): string =>
  text
    .replace(INVISIBLE, (character) => (character === "\n" ? "\\n" : escaped(character)))
    .replace(COMMAND, escaped);

/** Rewrites all characters that {@link printable} escapes, run by run. */
export const rewriteUnprintable = (text: string, written: (run: string) => string): string =>
  text.replace(new RegExp(`${INVISIBLE.source}+`, "gu"), written).replace(COMMAND, written);

/** Does the same for a text of several lines, which stay lines. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join("\n");

/**
 * Writes a value as JSON in which no character is left that a terminal or the runner of a job would obey. `written` may
 * replace a member, as for JSON.stringify.
 */
export const inertJson = (
  value: unknown,
  indent?: number,
  written?: (key: string, member: unknown) => unknown,
): string =>
  JSON.stringify(value, written, indent)
    // The line breaks between members are the only control characters of JSON.
    .replace(INVISIBLE, (character) => (character === "\n" ? character : escaped(character)))
    .replace(COMMAND_IN_JSON, escaped);

/** In JSON, a line begins with a quote or a bracket, and only texts have this sign. */
const COMMAND_IN_JSON = /#(?=#\w*\[)/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Keeps text from the target from becoming markup. */
export const escapeMarkdown = (text: string): string =>
  printable(text).replaceAll(/[\\`*_<>[\]|#~]/g, "\\$&");

/** Writes a count with its noun: `1 check`, `1,200 checks`. */
export function plural(count: number, noun: string): string {
  return `${COUNTS.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Writes a sum of money, in the unit in which the amounts were sent: `1,414,400.37`. */
export const formatAmount = (sum: number): string => AMOUNTS.format(sum);

/** Writes a share as a percentage: `12.5 %`. */
export const percent = (share: number, digits = 6): string =>
  `${Number((share * 100).toPrecision(digits))} %`;

/** Cuts `text` to `width` columns and marks the cut with an ellipsis. */
export function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** Writes a moment to the minute, in UTC: `2026-03-01 10:00 UTC`. */
export const time = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** Writes how long a run took: `90 s`, `2 min 10 s`. */
export function duration({ startedAt, finishedAt }: { startedAt: string; finishedAt: string }): string {
  const seconds = Math.max(0, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Aligns the cells of rows: the first `texts` columns to the left, figures to the right. `painted` may add colours. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  texts = 1,
  painted = (cell: string, _row: number, _column: number) => cell,
): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const pad = (cell: string, column: number) =>
    column < texts ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column));
  return rows.map((cells, row) =>
    cells
      .map((cell, column) => painted(pad(cell, column), row, column))
      .join("  ")
      .trimEnd(),
  );
}
