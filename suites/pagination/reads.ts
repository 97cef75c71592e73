import type { Answer } from "../../fixtures/http/answer.ts";
import { ifDecided, TooFew } from "../../fixtures/http/findings.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { firstWindow, type Page, pageOf, readPage, readWidest } from "../../fixtures/lists/pages.ts";
import { pageSizes, type Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";

/** Counts the items on the widest page, again if there were too few; throws `Inconclusive` if there still are. */
export async function atLeast(ctx: CheckContext, id: OperationId, needed: number): Promise<number> {
  const known = await ifDecided(ctx.run.once(`list/${id}/length`, () => lengthOf(ctx, id)));
  if (known !== undefined && known >= needed) return known;
  const seen = await lengthOf(ctx, id);
  if (seen >= needed) return seen;
  const item = itemOf(id);
  throw new TooFew(`the list has ${plural(seen, item)}, but this check needs ${needed}`, {
    advice: `add ${plural(needed - seen, item)}`,
  });
}

/** What one item of a list is called. */
export const itemOf = (id: OperationId): string => (contract[id] as Operation).list?.item ?? "item";

async function lengthOf(ctx: CheckContext, id: OperationId): Promise<number> {
  const { items } = await readWidest(ctx, id);
  const [small] = await pageSizes(ctx, id);
  const first = await readPage(ctx, id, await firstWindow(ctx, id, small));
  return Math.max(items.length, first.items.length);
}

/** Chooses a page size, 5 at most, that fills `pages` pages, and one more if the first page is unknown. */
export async function windowOf(ctx: CheckContext, id: OperationId, pages: number): Promise<number> {
  const { origin } = await locate(ctx, id);
  const needed = origin === undefined ? pages + 1 : pages;
  const [small] = await pageSizes(ctx, id);
  const length = await atLeast(ctx, id, needed * small);
  return small > 1 ? small : Math.min(5, Math.floor(length / needed));
}

/** Reads a page that the API may reject; a rejection shows no items. */
export async function readTolerated(ctx: CheckContext, id: OperationId, query: Query): Promise<Page> {
  const answer = await sendWithRetry(ctx, id, { query });
  expectAnswered(answer);
  return shownBy(ctx, id, answer);
}

/** Reads the items of an answer; none if it is not the documented success. */
export const shownBy = async (ctx: CheckContext, id: OperationId, answer: Answer): Promise<Page> =>
  answer.isSuccess ? pageOf(ctx, id, answer) : { answer, items: [] };
