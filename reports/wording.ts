import { groupBy } from "./grouping.ts";

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
    .replace(INVISIBLE_IN_JSON, escaped)
    .replace(COMMAND_IN_JSON, escaped);

/** JSON has escapes for all other control characters but the line breaks between members, and for halves of characters. */
const INVISIBLE_IN_JSON = new RegExp(INVISIBLE.source.replace("\\p{Cc}\\p{Cs}", "\\x7f-\\x9f"), "g");

/** In JSON, a line begins with a quote or a bracket, and only texts have this sign. */
const COMMAND_IN_JSON = /#(?=#\w*\[)/g;

/** A character as JSON may write it. */
export const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Keeps text from the target from becoming markup. */
export const escapeMarkdown = (text: string): string =>
  printable(text).replaceAll(/[\\`*_<>[\]|#~]/g, "\\$&");

const LIST = new Intl.ListFormat("en-GB");

/** Joins names as a sentence does: `a, b and c`. */
export const listed = (names: Iterable<string>): string => LIST.format(names);

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

interface Shown {
  readonly word: string;
  /** What the state means for the reader, which decides its colour. */
  readonly tone: "pass" | "fail" | "warn" | "open" | "none";
  /** Beside the word, because a colour alone excludes readers. */
  readonly sign: string;
}

/**
 * How every report shows a verdict, the state of a requirement or of a rule under load, and the outcome of a run. The
 * verdicts come first, in the order in which a report lists them: the worst first.
 */
export const shown = {
  fail: { word: "failed", tone: "fail", sign: "✗" },
  critical: { word: "critical", tone: "fail", sign: "‼" },
  "suite-error": { word: "suite error", tone: "fail", sign: "✗" },
  waived: { word: "waived", tone: "warn", sign: "~" },
  inconclusive: { word: "inconclusive", tone: "open", sign: "?" },
  "not-tested": { word: "not tested", tone: "open", sign: "–" },
  "pass-weak": { word: "passed without proof", tone: "open", sign: "◐" },
  warn: { word: "warned", tone: "warn", sign: "!" },
  pass: { word: "passed", tone: "pass", sign: "✓" },
  observed: { word: "observed", tone: "none", sign: "○" },

  open: { word: "open", tone: "open", sign: "?" },
  excluded: { word: "out of scope", tone: "none", sign: "–" },
  none: { word: "no check", tone: "none", sign: "–" },

  held: { word: "held", tone: "pass", sign: "✓" },
  broken: { word: "broken", tone: "fail", sign: "✗" },
  undecided: { word: "undecided", tone: "open", sign: "?" },
  warned: { word: "warned", tone: "warn", sign: "!" },
  unjudged: { word: "unjudged", tone: "none", sign: "–" },

  conformant: { word: "conformant", tone: "pass", sign: "✓" },
  "non-conformant": { word: "not conformant", tone: "fail", sign: "✗" },
  "not-fit-for-release": { word: "not fit for release", tone: "fail", sign: "✗" },
  "not-fully-verified": { word: "not fully verified", tone: "open", sign: "?" },
  refused: { word: "refused", tone: "fail", sign: "✗" },
  passed: { word: "passed", tone: "pass", sign: "✓" },
  failed: { word: "failed", tone: "fail", sign: "✗" },
  interrupted: { word: "interrupted", tone: "open", sign: "?" },
  error: { word: "error", tone: "fail", sign: "✗" },
} as const satisfies Readonly<Record<string, Shown>>;

export type State = keyof typeof shown;

const ORDER = Object.keys(shown);

/** Sorts results by their verdicts, the worst first. */
export const worstFirst = <T extends { readonly verdict: State }>(results: readonly T[]): T[] =>
  results.toSorted((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));

/** Says how many results have which verdict: `2 failed, 10 passed`. */
export const countsOf = (results: readonly { readonly verdict: State }[]): string =>
  [...groupBy(results, ({ verdict }) => verdict)]
    .map(([verdict, { length }]) => `${length} ${shown[verdict].word}`)
    .join(", ");

/** The first of some texts; the last one of the result says how many others there are. */
export const cut = (
  texts: readonly string[],
  most: number,
  others: (count: number) => string = (count) => `${count} more`,
): string[] => (texts.length > most ? [...texts.slice(0, most), others(texts.length - most)] : [...texts]);

/** Leaves out the texts that are absent. */
export const present = (...texts: readonly (string | false | undefined)[]): string[] =>
  texts.filter((text) => typeof text === "string" && text !== "") as string[];

/** Lets a text begin with a capital letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A label with the texts that belong to it. Every report shows its facts as such rows. */
export type Row = readonly [label: string, ...texts: string[]];

/** Leaves out the texts that are absent, and the rows without a text. */
export const rowsOf = (
  rows: readonly (readonly [label: string, ...texts: (string | false | undefined)[]])[],
): Row[] =>
  rows.map(([label, ...texts]): Row => [label, ...present(...texts)]).filter(({ length }) => length > 1);

/** Writes rows as lines: `expected: 200`. */
export const linesOf = (rows: readonly Row[], written = (text: string) => text): string[] =>
  rows.flatMap(([label, ...texts]) => texts.map((text) => `${label}: ${written(text)}`));
