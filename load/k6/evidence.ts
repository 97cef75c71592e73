import { parseJson } from "./json.ts";

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

/** The digits at the end of every reference of a run. */
const DIGITS = 7;
/** A response may count in subunits what the request counts in units, or the reverse. */
const SUBUNITS = 100;

/** Whether a text shows a whole reference of the run, all of which begin with `prefix`, other than `own`. */
export function showsOtherReference(text: string, prefix: string, own: string): boolean {
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
    const end = at + prefix.length;
    const digits = [...text.slice(end, end + DIGITS)].filter((one) => one >= "0" && one <= "9");
    if (digits.length === DIGITS && !text.startsWith(own, at)) return true;
  }
  return false;
}

/** Whether a response shows an amount that is not the one of its request. */
export function showsOtherAmount(response: unknown, request: string): boolean {
  const shown = amountIn(response);
  const sent = shown === undefined ? undefined : amountIn(parseJson(request));
  if (shown === undefined || sent === undefined) return false;
  return ![sent, sent * SUBUNITS, sent / SUBUNITS].some((one) => Math.abs(shown - one) < 0.005);
}

/** The first amount in parsed JSON, as a number or in quotes, not deeper than any response of the API is. */
function amountIn(value: unknown, levels = 10): number | undefined {
  if (typeof value !== "object" || value === null || levels === 0) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const isAmount = name === "amount" && typeof member !== "object";
    const amount = isAmount ? Number.parseFloat(String(member)) : amountIn(member, levels - 1);
    if (amount !== undefined && !Number.isNaN(amount)) return amount;
  }
  return undefined;
}
