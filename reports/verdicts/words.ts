import { groupBy } from "../grouping.ts";

/** What a state means for the reader, which decides its colour. */
export type Tone = "pass" | "fail" | "warn" | "open" | "none";

interface Shown {
  readonly word: string;
  readonly tone: Tone;
  /** Beside the word, because a colour alone excludes readers. */
  readonly sign: string;
}

/**
 * How every report shows a verdict, the state of a requirement or of a rule under load, and the outcome of a run. The
 * verdicts come first, in the order in which a report lists them: the worst first.
 */
export const shown = {
  fail: { word: "failed", tone: "fail", sign: "✗" },
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

/** Lets a text begin with a capital letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A label with the texts that belong to it. Every report shows its facts as such rows. */
export type Row = readonly [label: string, ...texts: string[]];

/** Leaves out the texts that are absent, and the rows without a text. */
export const rowsOf = (
  rows: readonly (readonly [label: string, ...texts: (string | false | undefined)[]])[],
): Row[] =>
  rows
    .map(([label, ...texts]): Row => [label, ...texts.filter((text) => typeof text === "string")])
    .filter(({ length }) => length > 1);
