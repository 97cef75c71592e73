/** Control characters, and marks that reorder text, in what a target returned. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

const COUNTS = new Intl.NumberFormat("en-US");
const AMOUNTS = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 });

/** Replaces every control character with an escape, so that text from the target stays one line of plain text. */
export function printable(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    if (character === "\n") return "\\n";
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Keeps text from the target from becoming markup. */
export const escapeMarkdown = (text: string): string =>
  printable(text).replaceAll(/[\\`*_<>[\]|#~]/g, "\\$&");

/** Writes a count with its noun: `1 check`, `1,200 checks`. */
export function plural(count: number, noun: string): string {
  return `${COUNTS.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Writes a sum of money, in the unit in which the amounts were sent: `1,414,400.37`. */
export const formatAmount = (sum: number): string => AMOUNTS.format(sum);

/** Cuts `text` to `width` columns and marks the cut with an ellipsis. */
export function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
