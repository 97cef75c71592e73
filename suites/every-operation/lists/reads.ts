import { mayBeChanged } from "../../../fixtures/engine/run/diagnosis.ts";
import {
  type CheckContext,
  candidates,
  demandDone,
  demandFilterAccepted,
  ifDecided,
  listOf,
  type Page,
  type Query,
  scalars,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { plural } from "../../../reports/wording.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { INVENTED } from "../../../schemas/recipe.ts";
import { itemOf } from "./walk.ts";

/** Counts the items on the widest page, again if there were too few; throws `Inconclusive` if there still are. */
export async function atLeast(ctx: CheckContext, id: OperationId, needed: number) {
  const known = await ifDecided(listOf(ctx, id).first());
  if (known && known.items.length >= needed) return;
  const seen = (await listOf(ctx, id).widest()).items.length;
  if (seen >= needed) return;
  const item = itemOf(id);
  undecided(`the list has ${plural(seen, item)}, but this check needs ${needed}`, {
    advice: `add ${plural(needed - seen, item)}`,
  });
}

/** Reads a page that the API may reject; a rejection shows no items. */
export async function readTolerated(ctx: CheckContext, id: OperationId, query: Query): Promise<Page> {
  const response = await ctx.send(id, { query });
  return listOf(ctx, id).itemsOf(response);
}

/**
 * A search text that the API accepts, as it must. It may reject what the suite invents in every form, but not what its
 * own list shows.
 */
export async function acceptedText(
  ctx: CheckContext,
  id: "listTransfers" | "listRecipients" | "listCustomers",
) {
  const { fresh, list }: Operation = contract[id];
  const response = await ctx.once(`unused/${id}`, () => listOf(ctx, id).askForNothing());
  if (!mayBeChanged(response)) {
    await demandFilterAccepted(ctx, id, { [list?.search ?? ""]: "" }, response);
    return listOf(ctx, id).unusedText();
  }
  const variable = INVENTED[fresh ?? "reference"].variable;
  const outcome = `${response.outcome} to a ${list?.search} that finds nothing`;
  const known = await textOnList(ctx, id);
  if (known === undefined) undecided(`${outcome}, in each of its forms`, { advice: `check ${variable}` });
  await demandDone(ctx, await ctx.send(id, { query: { [list?.search ?? ""]: known } }), { ownData: true });
  ctx.observe("N39", outcome);
  return known;
}

async function textOnList(ctx: CheckContext, id: OperationId): Promise<string | undefined> {
  const { response } = await ctx.control(id);
  const wanted = id === "listTransfers" ? /ref(erence)?$/i : /name$/i;
  const shown = candidates(response?.json).flatMap(({ items }) => items.flatMap((item) => scalars(item)));
  const [, value] = shown.find(([path, text]) => wanted.test(path) && /\p{L}|\d/u.test(String(text))) ?? [];
  return value === undefined ? undefined : String(value);
}
