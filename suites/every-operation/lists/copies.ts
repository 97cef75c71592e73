import { ownIdOf } from "../../../fixtures/engine/lists/items.ts";
import type { ApiResponse, CheckContext } from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";

/**
 * Finds responses that list an item in more copies than another response to the same request does. Rows of one record that
 * differ may be its history, and what a request of the run put into the list may be in it as often as it was sent.
 */
export function findCopies(
  ctx: CheckContext,
  id: OperationId,
  responses: readonly ApiResponse[],
  itemsIn: (body: unknown) => readonly unknown[],
): ApiResponse[] {
  const sent = valuesSentTo(ctx, id);
  return [...groupBy(responses, ({ request }) => request.path).values()].flatMap((alike) => {
    const pages = alike.map((response) => {
      const groups = [...groupBy(itemsIn(response.json), ownIdOf)];
      return { response, groups: groups.filter(([own]) => own !== undefined && !sent.has(String(own))) };
    });
    const least = new Map<unknown, number>();
    for (const { groups } of pages)
      for (const [own, { length }] of groups) least.set(own, Math.min(length, least.get(own) ?? length));
    const isCopied = ([own, rows]: readonly [unknown, readonly unknown[]]) =>
      rows.length > Number(least.get(own)) &&
      new Set(rows.map((row) => JSON.stringify(row))).size < rows.length;
    return pages.flatMap(({ response, groups }) => (groups.some(isCopied) ? [response] : []));
  });
}

/** What requests of the run put into a list, apart from what says which list it is. */
function valuesSentTo({ run }: CheckContext, id: OperationId): ReadonlySet<string> {
  const { query }: Operation = contract[id];
  const adding = operations.filter((one: Operation) => one.shownBy === id);
  const members = adding
    .flatMap((one) => run.responsesTo(one.id))
    .flatMap(({ bodySent }) => Object.entries(bodySent));
  const values = members.flatMap(([name, value]) => (name in (query?.shape ?? {}) ? [] : [String(value)]));
  return new Set(values.flatMap((value) => value.split(",")));
}
