import { scalars } from "../../fixtures/lists/json-pointer.ts";

/** What may be account numbers in data of unknown form: its values of ten digits (NUBAN) or more. */
export function accountsIn(data: unknown): Set<string> {
  const values = (Array.isArray(data) ? data : [data]).flatMap((item) => scalars(item));
  return new Set(values.map(([, value]) => String(value)).filter((value) => /^\d{10,}$/.test(value)));
}

/** What data of unknown form calls the payment's own reference; that of a customer or a bank has another name. */
export function referencesIn(data: unknown): Set<string> {
  const isOwn = (path: string) => /(^|\.)((payment|transaction|tx)_?)?(reference|ref)$/i.test(path);
  const found = (Array.isArray(data) ? data : [data]).flatMap((item) => scalars(item));
  return new Set(
    found.filter(([path, value]) => isOwn(path) && value !== "").map(([, value]) => String(value)),
  );
}

/** An amount in digits, a little less than it was; the smallest one becomes a little more. */
export function lessBy(difference: number, amount: unknown): string {
  const value = Number(amount);
  return String(value > difference ? value - difference : value + difference);
}
