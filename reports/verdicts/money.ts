import { formatAmount, plural } from "../wording.ts";
import type { Money } from "./verdict.ts";

type Sum = Money["planned"];
type Limit = Money["limit"];

/** What the selected checks pay if the API is conformant: the least, and the most if it accepts every probe. */
export type Expected = readonly [least: Sum, most: Sum];

/** What was expected of a run; earlier runs recorded neither the least nor the most. */
export const expectedOf = ({ planned, least = planned, needed = planned }: Money): Expected => [
  least,
  needed,
];

export const countsOf = ([least, most]: Expected) =>
  least.count === most.count ? countOf(most) : `${least.count} to ${countOf(most)}`;

export const totalsOf = ([least, most]: Expected) =>
  least.total === most.total ? totalOf(most) : `${formatAmount(least.total)} to ${totalOf(most)}`;

export const countOf = ({ count }: Limit) => (count === null ? "none" : plural(count, "payout"));
export const totalOf = ({ total }: Limit) => (total === null ? "none" : `${formatAmount(total)} in total`);

/** What a run may move and has moved; an absent sum is left out. */
export interface Sums {
  readonly expected: Expected;
  /** With probes, and with what a faulty API may pay for requests that it must reject. */
  readonly worst?: Sum | undefined;
  /** The operator's caps; `null` means that there is none. */
  readonly cap?: Limit | undefined;
  /** What was paid, or may have been. */
  readonly actual?: Sum | undefined;
}

/** Renders each sum on a line of its own, with its count: amounts in the currency's unit. */
export function moneyLines({ expected, worst, cap, actual }: Sums): string[] {
  const others = Object.entries({ "worst case": worst, cap, actual });
  const rows = [
    ["expected", countsOf(expected), totalsOf(expected)] as const,
    ...others.flatMap(([label, sum]) => (sum ? [[label, countOf(sum), totalOf(sum)] as const] : [])),
  ];
  const counts = Math.max(...rows.map(([, count]) => count.length));
  const totals = Math.max(...rows.map(([, , total]) => total.length));
  return rows.map(
    ([label, count, total]) => `  ${label.padEnd(12)}${count.padStart(counts)}  ${total.padStart(totals)}`,
  );
}

/** The caps with which no check is left out for its cost, as the operator sets them. */
export const capsFor = ({ count, total }: Sum): string =>
  `MAX_PAYOUTS=${count} and MAX_PAYOUT_TOTAL=${Math.ceil(total)}`;

/** Says with which caps no check is left out for its cost. */
export const capsAdvice = (needed: Sum): string =>
  `${capsFor(needed)} pay for every check but those whose amounts are too large on purpose.`;
