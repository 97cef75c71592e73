import { plural } from "../../reports/wording.ts";
import type { Outcome } from "../k6/responses.ts";
import type { Outcomes } from "./result.ts";

export const OUTCOME_COLUMNS = ["accepted", "refused", "throttled", "errors", "unknown"] as const;

type Column = (typeof OUTCOME_COLUMNS)[number];

/** How each outcome is shown: in which column, and by which name if it is a failure. */
const SHOWN: Readonly<Record<Outcome, { readonly column: Column; readonly failure?: string }>> = {
  accepted: { column: "accepted" },
  "business-refused": { column: "refused" },
  throttled: { column: "throttled" },
  "server-error": { column: "errors", failure: "server error" },
  timeout: { column: "unknown", failure: "timeout" },
  unknown: { column: "unknown", failure: "lost connection" },
  "connection-error": { column: "errors", failure: "failed connection" },
  "auth-error": { column: "errors", failure: "rejected key" },
  malformed: { column: "errors", failure: "malformed response" },
};

const SHOWN_OUTCOMES = Object.keys(SHOWN) as Outcome[];

/** What became of requests, by operation. */
interface Counted {
  readonly operations: Readonly<Record<string, { readonly outcomes: Outcomes }>>;
}

/** How many requests came to one of some outcomes. */
export const countOf = (outcomes: Outcomes, isCounted = (_: Outcome) => true): number =>
  SHOWN_OUTCOMES.filter(isCounted).reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);

/** Adds up what became of requests. */
export const addOutcomes = (all: readonly { readonly outcomes: Outcomes }[]): Outcomes =>
  Object.fromEntries(
    SHOWN_OUTCOMES.flatMap((name) => {
      const count = all.reduce((sum, { outcomes }) => sum + (outcomes[name] ?? 0), 0);
      return count > 0 ? [[name, count]] : [];
    }),
  );

export const outcomesIn = ({ operations }: Counted): Outcomes => addOutcomes(Object.values(operations));

/** How many requests of all operations came to one of some outcomes. */
export const requestsIn = (counted: Counted, isCounted = (_: Outcome) => true): number =>
  countOf(outcomesIn(counted), isCounted);

/** How many of these outcomes a column counts. */
export const countIn = (column: Column, outcomes: Outcomes): number =>
  countOf(outcomes, (outcome) => SHOWN[outcome].column === column);

/** Names the failures among some outcomes: `3 server errors, 1 timeout`; empty if there are none. */
export const failuresIn = (outcomes: Outcomes, isCounted = (_: Outcome) => true): string =>
  SHOWN_OUTCOMES.filter(isCounted)
    .flatMap((outcome) => {
      const [{ failure }, count = 0] = [SHOWN[outcome], outcomes[outcome]];
      return failure && count > 0 ? [plural(count, failure)] : [];
    })
    .join(", ");
