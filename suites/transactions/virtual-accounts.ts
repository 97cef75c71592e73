import { scalars } from "../../fixtures/engine/lists/json-pointer.ts";

/** Finds what may be account numbers in undocumented data: values of ten digits (NUBAN) or more. */
export function accountsIn(data: unknown): Set<string> {
  const values = scalarsIn(data).map(([, value]) => String(value));
  return new Set(values.filter((value) => /^\d{10,}$/.test(value)));
}

/** Finds the reference of the payment in undocumented data; references of customers and banks have other names. */
export function referencesIn(data: unknown): Set<string> {
  const isOwn = (path: string) => /(^|\.)((payment|transaction|tx)_?)?(reference|ref)$/i.test(path);
  const found = scalarsIn(data).filter(([path, value]) => isOwn(path) && value !== "");
  return new Set(found.map(([, value]) => String(value)));
}

/** Lowers an amount in digits by `difference`, or raises it if the result would not be positive. */
export function lessBy(difference: number, amount: unknown): string {
  const value = Number(amount);
  return String(value > difference ? value - difference : value + difference);
}

const scalarsIn = (data: unknown) =>
  (Array.isArray(data) ? data : [data]).flatMap((item: unknown) => scalars(item));
