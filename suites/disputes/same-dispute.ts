import { type ApiResponse, isObject, scalars } from "../../fixtures/engine/vocabulary.ts";

/** Whether the response to another merchant has the record of `own`, and not only the reference that was asked for. */
export function showsSameRecord(own: ApiResponse, other: ApiResponse, asked: string): boolean {
  const record = own.field("data");
  const shown = other.field("data");
  if (!isObject(record) || !isObject(shown)) return false;
  const { reference, status: _, ...rest } = record;
  const known = new Set(scalars(shown).map((member) => JSON.stringify(member)));
  const isShown = (member: unknown) => known.has(JSON.stringify(member));
  const more = scalars(rest).filter(([, value]) => String(value) !== asked);
  // Some APIs put a new reference into every response. One or two members, such as a currency, may be the same by chance.
  if (more.length > 2 && more.every(isShown)) return true;
  const isOwnReference = typeof reference === "string" && reference !== "" && reference !== asked;
  if (!isOwnReference) return JSON.stringify(record) === JSON.stringify(shown);
  // Some APIs put the same reference into every response, so another member, if any, must be the same.
  const hasMore = more.length === 0 || more.some(isShown);
  return hasMore && other.text.includes(JSON.stringify(reference));
}
