import { scalars } from "../../fixtures/lists/json-pointer.ts";

/** A field that shows an amount, and its multiple of the amount sent: 100 if the field counts subunits. */
interface AmountField {
  readonly path: string;
  readonly scale: number;
}

const SCALES = [1, 100];

/** Finds the fields of a listed transfer that show the amount sent and have a name that fits an amount. */
export const amountFields = (row: unknown, amount: number): AmountField[] =>
  scalars(row).flatMap(([path, value]) => {
    const scale = SCALES.find((times) => numberIn(value) === amount * times);
    return scale !== undefined && /amount|value|sum/i.test(path) ? [{ path, scale }] : [];
  });

/** Reads the number in a value, whatever its currency and grouping: `₦1,500.00` is 1500. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\D{0,4}\d[\d, ]*(\.\d+)?\D{0,4}$/.test(value)) return undefined;
  return Number(value.replaceAll(/[^\d.]/g, ""));
}
