import type { Answer } from "../../fixtures/http/answer.ts";
import { isObject } from "../../fixtures/http/body.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";

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
  const { reference, status: _, ...rest } = record;
  const isTelling = typeof reference === "string" && reference !== "" && reference !== asked;
  const hasReference = isTelling && other.text.includes(JSON.stringify(reference));
  // Some put the same reference into every answer; a record shows more of itself.
  const more = scalars(rest).filter(([, value]) => String(value) !== asked);
  const known = new Set(scalars(shown).map((member) => JSON.stringify(member)));
  const hasMore = more.some((member) => known.has(JSON.stringify(member)));
  return isTelling
    ? hasReference && (hasMore || more.length === 0)
    : JSON.stringify(record) === JSON.stringify(shown);
}
