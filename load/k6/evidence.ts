/** What k6 sees in a single response that speaks for or against an invariant. */
export const EVIDENCE = [
  /** The response breaks its documented shape. */
  "malformed",
  /** The response to a request with a reference shows another reference of the run. */
  "foreign-reference",
  /** The response shows another amount than the request had. */
  "other-amount",
  "bad-key-accepted",
  "bad-key-rejected",
  "page-too-long",
  "page-in-bounds",
] as const;

export type Evidence = (typeof EVIDENCE)[number];

// No regular expressions: k6's engine keeps 30 kB for the first one of every virtual user.

/** Not in their order, in which examples use them as an account number: no file of a run may show the operator's. */
const DIGIT = "0246813579";
/** The digits at the end of every reference of a run. */
const DIGITS = 7;
const FIELD = '"amount"';
/** A response may count in subunits what the request counts in units, or the reverse. */
const SUBUNITS = 100;

/** Whether a text shows a whole reference of the run, all of which begin with `prefix`, other than `own`. */
export function showsOtherReference(text: string, prefix: string, own: string): boolean {
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
    const end = at + prefix.length;
    if (after(text, end, DIGIT, DIGITS) === end + DIGITS && !text.startsWith(own, at)) return true;
  }
  return false;
}

/** Whether a response shows an amount that is not the one of its request. */
export function showsOtherAmount(response: string, request: string): boolean {
  const shown = amountIn(response);
  const sent = shown === undefined ? undefined : amountIn(request);
  if (shown === undefined || sent === undefined) return false;
  return !isClose(shown, sent) && !isClose(shown, sent * SUBUNITS) && !isClose(shown, sent / SUBUNITS);
}

const isClose = (a: number, b: number) => Math.abs(a - b) < 0.005;

/** The first amount of a JSON text, as a number or in quotes. */
function amountIn(text: string): number | undefined {
  for (let at = text.indexOf(FIELD); at >= 0; at = text.indexOf(FIELD, at + 1)) {
    const colon = after(text, at + FIELD.length, " \t\r\n");
    if (text[colon] !== ":") continue;
    const value = after(text, colon + 1, " \t\r\n");
    const start = text[value] === '"' ? value + 1 : value;
    const end = after(text, start, `-.${DIGIT}`);
    const amount = end > start ? Number(text.slice(start, end)) : Number.NaN;
    if (!Number.isNaN(amount)) return amount;
  }
  return undefined;
}

/** Where the characters of a text end that are among `those`, of which at most `most` are read. */
function after(text: string, start: number, those: string, most = text.length): number {
  let end = start;
  while (end < text.length && end - start < most && those.includes(text[end] ?? "")) end += 1;
  return end;
}
