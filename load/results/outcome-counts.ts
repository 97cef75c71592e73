import { plural } from "../../reports/wording.ts";
import { OUTCOMES, type Outcome } from "../k6/outcome.ts";
import type { OperationSummary, Outcomes } from "./summary.ts";

/** The columns in which outcomes are shown, and what belongs to each. */
const COLUMNS = {
  accepted: ["accepted"],
  refused: ["business-refused"],
  throttled: ["throttled"],
  errors: ["server-error", "auth-error", "malformed", "connection-error"],
  unknown: ["timeout", "unknown"],
} as const satisfies Readonly<Record<string, readonly Outcome[]>>;

type Column = keyof typeof COLUMNS;

export const OUTCOME_COLUMNS = Object.keys(COLUMNS) as Column[];

/** How many requests were sent, or came to one of some outcomes, over all operations. */
export const requestsIn = (
  { operations }: { readonly operations: Readonly<Record<string, Pick<OperationSummary, "outcomes">>> },
  isCounted = (_: Outcome) => true,
) =>
  Object.values(operations)
    .flatMap(({ outcomes }) => Object.entries(outcomes))
    .reduce((sum, [outcome, count]) => sum + (isCounted(outcome as Outcome) ? count : 0), 0);

/** How many of these outcomes a column counts. */
export const countIn = (column: Column, outcomes: Outcomes): number =>
  COLUMNS[column].reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);

const FAILURES = {
  "server-error": "server error",
  timeout: "timeout",
  unknown: "lost connection",
  "connection-error": "failed connection",
  "auth-error": "rejected key",
  malformed: "malformed response",
} as const satisfies Partial<Record<Outcome, string>>;

/** Names the failures among some outcomes: `3 server errors, 1 timeout`; empty if there are none. */
export function failuresIn(outcomes: Outcomes): string {
  return Object.entries(FAILURES)
    .flatMap(([outcome, name]) => {
      const count = new Map(Object.entries(outcomes)).get(outcome) ?? 0;
      return count > 0 ? [plural(count, name)] : [];
    })
    .join(", ");
}

/** How many requests of all operations came to each outcome that counts. */
export const outcomesIn = (
  measured: Parameters<typeof requestsIn>[0],
  isCounted = (_: Outcome) => true,
): Outcomes =>
  Object.fromEntries(
    OUTCOMES.filter(isCounted).map((outcome) => [outcome, requestsIn(measured, (one) => one === outcome)]),
  );
