import { Inconclusive, ifDecided, TooFew, Violation } from "../../../fixtures/engine/http/findings.ts";
import { expectAnswered, expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { countCommon } from "../../../fixtures/engine/lists/identity.ts";
import {
  firstWindow,
  identityOf,
  locate,
  type Page,
  pageOf,
  pageSizes,
  pairsOf,
  type Query,
  readPage,
  readStable,
  readWidest,
  windows,
} from "../../../fixtures/engine/lists/list.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { plural } from "../../../reports/wording.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { expectOfPages, findMissing, findRepeated, itemOf } from "./walk.ts";

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
  const answer = await ctx.send(id, { query });
  expectAnswered(answer);
  return pageOf(ctx, id, answer);
}

export const expectDisjointPages = judgedTwice(async (ctx, id) => {
  const size = await windowOf(ctx, id, 3);
  const pages = await readStable(ctx, id, await windows(ctx, id, size, 3));
  const identity = await identityOf(ctx, id);
  for (const [earlier, { answer, items }] of pairsOf(pages)) {
    const common = countCommon(earlier.items, items, identity);
    const actual = `returned ${plural(common, "item")} of an earlier page again (limit=${size})`;
    expectThat(common === 0, answer, actual, "pages that have no item in common", [earlier.answer]);
  }
});

/** Demands that pages of one item show different items. */
export const expectDifferentItems = judgedTwice(async (ctx, id) => {
  const [size] = await pageSizes(ctx, id);
  const length = await atLeast(ctx, id, size === 1 ? 3 : 2 * size);
  const steps = size === 1 ? Math.min(5, length - 1) : 2;
  const pages = await readStable(ctx, id, await windows(ctx, id, size, steps));
  const identity = await identityOf(ctx, id);
  const items = pages.flatMap((page) => page.items.map(identity));
  const different = new Set(items).size;
  const last = pages.at(-1);
  if (!last) return;
  const isFull = different === items.length && items.length >= steps;
  const actual = `returned ${plural(different, "different item")} on ${steps} pages of limit=${size}`;
  const answers = pages.map(({ answer }) => answer);
  expectThat(isFull, last.answer, actual, `${steps} different items`, answers);
});

/** Demands that pages of any size show the same items, each of them once. */
export async function expectSameItems(ctx: CheckContext, id: OperationId) {
  await atLeast(ctx, id, 2);
  const whole = await ctx.run.once(`list/${id}/whole`, () => readWidest(ctx, id));
  await expectOfPages(ctx, id, { filter: {}, ...whole }, findMissing);
  await expectOfPages(ctx, id, { filter: {}, ...whole }, findRepeated);
}

/** Lets a judge of a list read it again after a violation: what others add behind the first window shows only once. */
function judgedTwice(judge: (ctx: CheckContext, id: OperationId) => Promise<void>): typeof judge {
  return async (ctx, id) => {
    try {
      await judge(ctx, id);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      await judge(ctx, id);
      throw new Inconclusive(`moving data: it ${error.message}, but not when it was read again`, {
        advice: "repeat the run while no one else uses the deployment",
      });
    }
  };
}
