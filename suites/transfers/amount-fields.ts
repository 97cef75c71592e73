import { scalars } from "../../fixtures/lists/json-pointer.ts";

/** A field that shows an amount, and how many times the amount as sent it shows: 100 where it counts subunits. */
interface AmountField {
  readonly path: string;
  readonly scale: number;
}

const SCALES = [1, 100];

/** The fields of a listed transfer that show the amount that was sent; a number by chance has another name. */
export const amountFields = (row: unknown, amount: number): AmountField[] =>
  scalars(row).flatMap(([path, value]) => {
    const scale = SCALES.find((times) => numberIn(value) === amount * times);
    return scale !== undefined && /amount|value|sum/i.test(path) ? [{ path, scale }] : [];
  });

/** The number in a value, whatever its currency and grouping: `₦1,500.00` is 1500. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\D{0,4}\d[\d, ]*(\.\d+)?\D{0,4}$/.test(value)) return undefined;
  return Number(value.replaceAll(/[^\d.]/g, ""));
}
