import { type ApiResponse, type CheckContext, scalars, undecided } from "../../fixtures/engine/vocabulary.ts";
import { plural } from "../../reports/wording.ts";
import { listedUnder } from "./repeated-transfer.ts";

const ID = "createTransfer";

/** The one row that the list shows of a transfer. */
export async function rowOf(ctx: CheckContext, transfer: ApiResponse): Promise<unknown> {
  const read = () => listedUnder(ctx, transfer.requireReference());
  const { items } = await ctx.run.settling.until(read, (found) => found.items.length > 0);
  if (items.length === 1) return items[0];
  const shown = `the list shows ${plural(items.length, "transfer")} under the reference of one`;
  undecided(shown, `${ID}/accepted-is-listed`);
}

/**
 * Finds the fields of a listed transfer that show the amount sent and have a name that fits an amount, each with its
 * multiple of the amount: 100 if it counts subunits.
 */
export const amountFields = (row: unknown, amount: number) =>
  scalars(row).flatMap(([path, value]) => {
    const scale = [1, 100].find((times) => numberIn(value) === amount * times);
    return scale !== undefined && /amount|value|sum/i.test(path) ? [{ path, scale }] : [];
  });

/** A number of four bytes shows 19.99 as 19.989999771118164, so hardly any difference is one of rounding. */
export const isSame = (shown: unknown, sum: number) => Math.abs((numberIn(shown) ?? Number.NaN) - sum) < 1e-7;

/** Reads the number in a value, whatever its currency and grouping: `₦1,500.00` is 1500. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\D{0,4}\d[\d, ]*(\.\d+)?\D{0,4}$/.test(value)) return undefined;
  return Number(value.replaceAll(/[^\d.]/g, ""));
}
