import { type Answer, isObject } from "../../fixtures/answer.ts";
import { scalars } from "../../fixtures/pointer.ts";

/** A transaction reference in a body that is not the one that was asked for; `undefined` when there is none. */
export function otherTransactionIn(body: unknown, asked: string): string | undefined {
  return scalars(body)
    .filter(([path]) => /transaction_?ref/i.test(path.split(".").at(-1) ?? ""))
    .map(([, value]) => String(value))
    .find((value) => value !== "" && value !== asked);
}

/** Whether another merchant's answer holds the record that its owner sees, and no mere echo of the question. */
export function showsSameRecord(own: Answer, other: Answer, asked: string): boolean {
  const record = own.field("data");
  const shown = other.field("data");
  if (!isObject(record) || !isObject(shown)) return false;
  const reference = record.reference;
  const isTelling = typeof reference === "string" && reference !== "" && reference !== asked;
  return isTelling
    ? other.text.includes(JSON.stringify(reference))
    : JSON.stringify(record) === JSON.stringify(shown);
}
