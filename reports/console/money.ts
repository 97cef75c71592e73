import { formatAmount, plural } from "../text/wording.ts";
import type { Money } from "../verdicts/verdict.ts";

type Sum = Money["planned"];
type Limit = Money["limit"];

/** What a run may move and has moved, so that the lines can be compared. */
export interface Sums {
  /** What the selected checks pay if the API is conformant. */
  readonly expected: Sum;
  /** With probes, and with what a faulty API may pay for requests that it must reject. */
  readonly worst?: Sum | undefined;
  /** The operator's caps; `null` means that there is none. */
  readonly cap?: Limit | undefined;
  /** What was paid, or may have been. */
  readonly actual?: Sum | undefined;
}

const LABELS: Readonly<Record<keyof Sums, string>> = {
  expected: "expected",
  worst: "worst case",
  cap: "cap",
  actual: "actual",
};

/** Renders each sum on a line of its own, with its count: amounts in the currency's unit. */
export function moneyLines(sums: Sums): string[] {
  const rows = (["expected", "worst", "cap", "actual"] as const).flatMap((name) => {
    const sum = sums[name];
    return sum === undefined ? [] : [[LABELS[name], countOf(sum), totalOf(sum)] as const];
  });
  const [counts, totals] = [1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map(
    ([label, count, total]) =>
      `  ${label.padEnd(12)}${count.padStart(counts ?? 0)}  ${total.padStart(totals ?? 0)}`,
  );
}

const countOf = ({ count }: Limit) => (count === null ? "any number" : plural(count, "payout"));
const totalOf = ({ total }: Limit) => (total === null ? "any total" : `${formatAmount(total)} in total`);

/** The caps with which no check is left out for its cost, as the operator sets them. */
export const capsFor = ({ count, total }: Sum): string =>
  `MAX_PAYOUTS=${count} and MAX_PAYOUT_TOTAL=${Math.ceil(total)}`;
