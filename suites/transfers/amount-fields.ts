import { scalars } from "../../fixtures/engine/lists/json-pointer.ts";

/**
 * Finds the fields of a listed transfer that show the amount sent and have a name that fits an amount, each with its
 * multiple of the amount: 100 if it counts subunits.
 */
export const amountFields = (row: unknown, amount: number) =>
  scalars(row).flatMap(([path, value]) => {
    const scale = [1, 100].find((times) => numberIn(value) === amount * times);
    return scale !== undefined && /amount|value|sum/i.test(path) ? [{ path, scale }] : [];
  });

/** Reads the number in a value, whatever its currency and grouping: `₦1,500.00` is 1500. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\D{0,4}\d[\d, ]*(\.\d+)?\D{0,4}$/.test(value)) return undefined;
  return Number(value.replaceAll(/[^\d.]/g, ""));
}
