import { alignColumns, formatAmount, plural } from "../wording.ts";
import type { Money } from "./verdict.ts";

type Sum = Money["planned"];
type Limit = Money["limit"];

/** What a run may move and has moved; an absent sum is left out. */
interface Sums {
  /** What the selected checks pay if the API is conformant: the least, and the most if it accepts every probe. */
  readonly expected: readonly [least: Sum, most: Sum];
  /** With probes, and with what a faulty API may pay for requests that it must reject. */
  readonly worst?: Sum | undefined;
  /** The operator's caps; `null` means that there is none. */
  readonly cap?: Limit | undefined;
  /** What was paid, or may have been. */
  readonly actual?: Sum | undefined;
}

/** Each sum by its label, with the number of payments (payouts and customer payments) and the total, in the currency's unit. */
export function moneyRows({ expected: [least, most], worst, cap, actual }: Sums): string[][] {
  const others = Object.entries({ "worst case": worst, cap, actual });
  return [
    [
      "expected",
      least.count === most.count ? countOf(most) : `${least.count} to ${countOf(most)}`,
      least.total === most.total ? totalOf(most) : `${formatAmount(least.total)} to ${totalOf(most)}`,
    ],
    ...others.flatMap(([label, sum]) => (sum ? [[label, countOf(sum), totalOf(sum)]] : [])),
  ];
}

export const countOf = ({ count }: Limit) => (count === null ? "none" : plural(count, "payment"));
export const totalOf = ({ total }: Limit) => (total === null ? "none" : `${formatAmount(total)} in total`);

/** Renders each sum on a line of its own. */
export const moneyLines = (sums: Sums): string[] => alignColumns(moneyRows(sums)).map((line) => `  ${line}`);

/** What a run was expected to move and has moved; earlier runs recorded neither the least nor the most. */
export const sumsOf = ({ planned, least = planned, needed = planned, worst, cap, kept }: Money): Sums => ({
  expected: [least, needed],
  worst,
  cap,
  actual: kept,
});

/** The caps with which no check is left out for its cost, as the operator sets them. */
export const capsFor = ({ count, total }: Sum): string =>
  `MAX_PAYOUTS=${count} and MAX_PAYOUT_TOTAL=${Math.ceil(total)}`;

/** Says with which caps no check is left out for its cost. */
export const capsAdvice = (needed: Sum): string =>
  `${capsFor(needed)} pay for every check but those whose amounts are too large on purpose.`;
