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

/** The digits at the end of every reference of a run. */
const NUMBER = /^\d{7}/;

/** Whether a text shows a whole reference of the run, all of which begin with `prefix`, other than `own`. */
export function showsOtherReference(text: string, prefix: string, own: string): boolean {
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
    const isWhole = NUMBER.test(text.slice(at + prefix.length, at + prefix.length + 7));
    if (isWhole && !text.startsWith(own, at)) return true;
  }
  return false;
}

const AMOUNT = /"amount"\s*:\s*"?(-?[\d.]+)/;
/** A response may count in subunits what the request counts in units, or the reverse. */
const SUBUNITS = 100;

/** Whether a response shows an amount that is not the one of its request. */
export function showsOtherAmount(response: string, request: string): boolean {
  const shown = AMOUNT.exec(response)?.[1];
  const sent = shown === undefined ? undefined : AMOUNT.exec(request)?.[1];
  if (sent === undefined) return false;
  const amount = Number(sent);
  return ![amount, amount * SUBUNITS, amount / SUBUNITS].some((one) => Math.abs(one - Number(shown)) < 0.005);
}
