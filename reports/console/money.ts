import { countOf, countsOf, type Expected, totalOf, totalsOf } from "../verdicts/money.ts";
import type { Money } from "../verdicts/verdict.ts";

type Sum = Money["planned"];
type Limit = Money["limit"];

/** What a run may move and has moved, so that the lines can be compared. */
export interface Sums {
  readonly expected: Expected;
  /** With probes, and with what a faulty API may pay for requests that it must reject. */
  readonly worst?: Sum | undefined;
  /** The operator's caps; `null` means that there is none. */
  readonly cap?: Limit | undefined;
  /** What was paid, or may have been. */
  readonly actual?: Sum | undefined;
}

const LABELS = {
  worst: "worst case",
  cap: "cap",
  actual: "actual",
} as const;

/** Renders each sum on a line of its own, with its count: amounts in the currency's unit. */
export function moneyLines({ expected, ...sums }: Sums): string[] {
  const rows: (readonly string[])[] = [["expected", countsOf(expected), totalsOf(expected)]];
  for (const name of ["worst", "cap", "actual"] as const)
    if (sums[name]) rows.push([LABELS[name], countOf(sums[name]), totalOf(sums[name])]);
  const [counts, totals] = [1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map(
    ([label = "", count = "", total = ""]) =>
      `  ${label.padEnd(12)}${count.padStart(counts ?? 0)}  ${total.padStart(totals ?? 0)}`,
  );
}

/** The caps with which no check is left out for its cost, as the operator sets them. */
export const capsFor = ({ count, total }: Sum): string =>
  `MAX_PAYOUTS=${count} and MAX_PAYOUT_TOTAL=${Math.ceil(total)}`;

/** Says with which caps no check is left out for its cost. */
export const capsAdvice = (needed: Sum): string =>
  `${capsFor(needed)} pay for every check but those whose amounts are too large on purpose.`;
