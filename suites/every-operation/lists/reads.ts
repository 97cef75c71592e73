import { mayBeChanged } from "../../../fixtures/engine/run/diagnosis.ts";
import {
  type ApiResponse,
  type CheckContext,
  candidates,
  demand,
  demandDone,
  demandFilterAccepted,
  ifDecided,
  listOf,
  type Page,
  type Query,
  scalars,
  undecided,
  Violation,
} from "../../../fixtures/engine/vocabulary.ts";
import { plural } from "../../../reports/wording.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { INVENTED } from "../../../schemas/recipe.ts";
import { itemOf } from "./walk.ts";

/** How the widest page is read: once per run, or anew. */
type Reading = "first" | "widest";

/** Counts the items on the widest page, again if there were too few; throws `Inconclusive` if there still are. */
export async function atLeast(ctx: CheckContext, id: OperationId, needed: number): Promise<number> {
  const read = () => lengthOf(ctx, id, "first");
  const known = await ifDecided(ctx.run.once(`list/${id}/length`, read));
  if (known !== undefined && known >= needed) return known;
  const seen = await lengthOf(ctx, id, "widest");
  if (seen >= needed) return seen;
  const item = itemOf(id);
  undecided(`the list has ${plural(seen, item)}, but this check needs ${needed}`, {
    advice: `add ${plural(needed - seen, item)}`,
  });
}

async function lengthOf(ctx: CheckContext, id: OperationId, read: Reading): Promise<number> {
  const { items } = await listOf(ctx, id)[read]();
  const { small } = await listOf(ctx, id).sizes();
  const first = await listOf(ctx, id).page(await listOf(ctx, id).window(small));
  return Math.max(items.length, first.items.length);
}

/** Chooses a page size, 5 at most, that fills `pages` pages, and one more if the first page is unknown. */
export async function windowOf(ctx: CheckContext, id: OperationId, pages: number): Promise<number> {
  const { origin } = await listOf(ctx, id).located();
  const needed = origin === undefined ? pages + 1 : pages;
  const { small } = await listOf(ctx, id).sizes();
  const length = await atLeast(ctx, id, needed * small);
  return small > 1 ? small : Math.min(5, Math.floor(length / needed));
}

/** Reads a page that the API may reject; a rejection shows no items. */
export async function readTolerated(ctx: CheckContext, id: OperationId, query: Query): Promise<Page> {
  const response = await ctx.send(id, { query });
  return listOf(ctx, id).itemsOf(response);
}

/** The first two pages of a list, once per run. */
export async function firstTwoPages(ctx: CheckContext, id: OperationId) {
  const pages = await ctx.run.once(`list/${id}/two pages`, () => firstPages(ctx, id, 2));
  for (const { response } of pages.pages) ctx.note(response);
  return pages;
}

/** The first pages of a list, as large as it allows. */
export async function firstPages(ctx: CheckContext, id: OperationId, count: number) {
  const size = await windowOf(ctx, id, count);
  const pages = await listOf(ctx, id).stable(await listOf(ctx, id).windows(size, count));
  const [one, two] = pages;
  if (!one || !two) throw new Error("fewer pages were read than were asked for");
  return { size, pages, one, two, identity: await listOf(ctx, id).identity() };
}

/** Demands that a page has at most as many items as its limit. */
export function expectAtMost(
  limit: number,
  { response, items }: Page,
  where = "",
  others?: readonly ApiResponse[],
) {
  const actual = `returned ${plural(items.length, "item")} for limit=${limit}${where}`;
  demand(items.length <= limit, response, actual, `at most ${limit}`, others);
}

/** Demands that a window shows the same `items`, as `isSame` compares them, whenever it is read. */
export async function expectSameAgain(
  ctx: CheckContext,
  id: OperationId,
  windows: readonly Query[],
  expected: string,
  isSame: (one: Page["items"], other: Page["items"]) => boolean,
) {
  const [first, ...others] = await listOf(ctx, id).stable(windows);
  const actual = `returned other than ${expected} for the same request`;
  for (const { response, items } of others)
    if (first) demand(isSame(first.items, items), response, actual, expected, [first.response]);
}

/** Judges a list again after a violation, on a page read anew: what others add behind the first window shows only once. */
export async function judgeTwice(judge: (read: Reading) => Promise<void>) {
  try {
    await judge("first");
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    await judge("widest");
    undecided(`moving data: it ${error.message}, but not when it was read again`, {
      advice: "repeat the run while no one else uses the deployment",
    });
  }
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

/** A reference or a name that the list itself shows. */
async function textOnList(ctx: CheckContext, id: OperationId): Promise<string | undefined> {
  const { response } = await ctx.control(id);
  const wanted = id === "listTransfers" ? /ref(erence)?$/i : /name$/i;
  const shown = candidates(response?.json).flatMap(({ items }) => items.flatMap((item) => scalars(item)));
  const [, value] = shown.find(([path, text]) => wanted.test(path) && /\p{L}|\d/u.test(String(text))) ?? [];
  return value === undefined ? undefined : String(value);
}
