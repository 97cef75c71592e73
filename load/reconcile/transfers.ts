import { groupBy } from "../../reports/text/grouping.ts";
import { carriedOut, type Entry } from "./journal.ts";

/** What the responses say about one transfer reference, however often it was sent. */
export interface Transfer {
  readonly reference: string;
  readonly accepted: boolean;
  /** No response was a success, and the API may have made the transfer without confirming it. */
  readonly unknown: boolean;
  /** The different identifiers in the responses that accepted it. */
  readonly identifiers: readonly (string | number)[];
}

/** Groups requests by reference; `unanswered` references may have been sent without a response. */
export function transfersOf(entries: readonly Entry[], unanswered: readonly string[]): Transfer[] {
  const byReference = groupBy(entries, ({ reference }) => reference);
  for (const reference of unanswered) if (!byReference.has(reference)) byReference.set(reference, []);
  return [...byReference].map(([reference, found]) => transferOf(reference, found));
}

function transferOf(reference: string, entries: readonly Entry[]): Transfer {
  const acceptances = entries.filter(({ outcome }) => outcome === "accepted");
  const accepted = acceptances.length > 0;
  const mayBeMade = entries.length === 0 || entries.some((entry) => carriedOut(entry) === "unknown");
  const identifiers = acceptances.flatMap(({ identifier }) => (identifier === null ? [] : [identifier]));
  return { reference, accepted, unknown: !accepted && mayBeMade, identifiers: [...new Set(identifiers)] };
}
