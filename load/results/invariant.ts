import type { LoadResult } from "./result.ts";

const TITLES = {
  L1: "every accepted transfer is listed",
  L2: "no reference is paid twice",
  L3: "every response to a reference has the same transactionId",
  L4: "no two references share a transactionId",
  L5: "no rejected transfer is listed as paid",
  L6: "a transfer with an unknown outcome is made at most once",
  L7: "the list shows no reference of the run that was never sent",
  L8: "every response belongs to its request",
  L9: "every response has its documented shape",
  L10: "the API rejects a key that was never issued",
  L11: "no page has more items than limit",
  L12: "every listed transfer settles in one status",
  L13: "the API recovers after the load",
  L14: "responses do not slow down over the run",
} as const;

export type InvariantId = keyof typeof TITLES;
export type Invariant = LoadResult["invariants"][number] & { readonly id: InvariantId };

/** States an invariant; `where` names the transfers that it is about. */
export function invariant(
  id: InvariantId,
  state: Invariant["state"],
  text: string,
  where: readonly ({ readonly reference: string } | string)[] = [],
): Invariant {
  const references = where.map((one) => (typeof one === "string" ? one : one.reference));
  return { id, title: TITLES[id], state, text, references };
}

/** States an invariant that each of `bad` breaks. */
export const brokenBy = (
  bad: readonly ({ readonly reference: string } | string)[],
  id: InvariantId,
  text: { readonly broken: string; readonly held: string },
) => (bad.length > 0 ? invariant(id, "broken", text.broken, bad) : invariant(id, "held", text.held));

/** Sorts invariants by their number. */
export const inOrder = (invariants: readonly Invariant[]) =>
  invariants.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
