import { alignColumns, formatAmount, plural } from "../wording.ts";
import type { Expected, Limit, Sum } from "./verdict.ts";

/**
 * What may move and what was paid, each by its label, with the number of payments (payouts and customer payments) and the total,
 * in the currency's unit.
 */
export function moneyRows({ least, needed, worst, cap }: Expected, actual?: Sum): string[][] {
  const others = Object.entries({ "worst case": worst, cap, actual });
  return [
    [
      "expected",
      least.count === needed.count ? countOf(needed) : `${least.count} to ${countOf(needed)}`,
      least.total === needed.total ? totalOf(needed) : `${formatAmount(least.total)} to ${totalOf(needed)}`,
    ],
    ...others.flatMap(([label, sum]) => (sum ? [[label, countOf(sum), totalOf(sum)]] : [])),
  ];
}

export const countOf = ({ count }: Limit) => (count === null ? "none" : plural(count, "payment"));
export const totalOf = ({ total }: Limit) => (total === null ? "none" : `${formatAmount(total)} in total`);

/** Renders each sum on a line of its own. */
export const moneyLines = (expected: Expected, actual?: Sum): string[] =>
  alignColumns(moneyRows(expected, actual)).map((line) => `  ${line}`);

/** The caps with which no check is left out for its cost, as the operator sets them. */
export const capsFor = ({ count, total }: Sum): string =>
  `MAX_PAYOUTS=${count} and MAX_PAYOUT_TOTAL=${Math.ceil(total)}`;

/** Says with which caps no check is left out for its cost. */
export const capsAdvice = (needed: Sum): string =>
  `${capsFor(needed)} pay for every check but those whose amounts are too large on purpose.`;
