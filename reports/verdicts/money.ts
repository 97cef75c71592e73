import { formatAmount, plural } from "../text/wording.ts";
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

/** How many payouts are expected, in words. */
export const countsOf = ([least, most]: Expected) =>
  least.count === most.count ? countOf(most) : `${least.count} to ${countOf(most)}`;

/** What is expected in total, in words. */
export const totalsOf = ([least, most]: Expected) =>
  least.total === most.total ? totalOf(most) : `${formatAmount(least.total)} to ${totalOf(most)}`;

export const countOf = ({ count }: Limit) => (count === null ? "any number" : plural(count, "payout"));
export const totalOf = ({ total }: Limit) =>
  total === null ? "any total" : `${formatAmount(total)} in total`;
