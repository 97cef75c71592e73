import type { Answer } from "../../fixtures/engine/http/answer.ts";
import { isObject } from "../../fixtures/engine/http/body.ts";
import { scalars } from "../../fixtures/engine/lists/json-pointer.ts";

/** Finds a transaction reference in a body other than the one that was asked for; `undefined` if there is none. */
export function otherTransactionIn(body: unknown, asked: string): string | undefined {
  return scalars(body)
    .filter(([path]) => /transaction_?ref/i.test(path.split(".").at(-1) ?? ""))
    .map(([, value]) => String(value))
    .find((value) => value !== "" && value !== asked);
}

/** Whether the answer to another merchant has the record of `own`, and not only the reference that was asked for. */
export function showsSameRecord(own: Answer, other: Answer, asked: string): boolean {
  const record = own.field("data");
  const shown = other.field("data");
  if (!isObject(record) || !isObject(shown)) return false;
  const { reference, status: _, ...rest } = record;
  const isOwnReference = typeof reference === "string" && reference !== "" && reference !== asked;
  if (!isOwnReference) return JSON.stringify(record) === JSON.stringify(shown);
  // Some APIs put the same reference into every answer, so another member, if any, must be the same.
  const more = scalars(rest).filter(([, value]) => String(value) !== asked);
  const known = new Set(scalars(shown).map((member) => JSON.stringify(member)));
  const hasMore = more.length === 0 || more.some((member) => known.has(JSON.stringify(member)));
  return hasMore && other.text.includes(JSON.stringify(reference));
}
