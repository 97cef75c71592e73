import type { KnownFilter } from "../../fixtures/lists/known-filters.ts";
import { identityOf, originOf } from "../../fixtures/lists/locate.ts";
import { type Page, readWidest } from "../../fixtures/lists/pages.ts";
import { pageSizes, widestLimit } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { isPageRejected } from "../../fixtures/run/page-size.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { furtherOn, type Place, pick, readAt, type Walk, walk } from "./walk.ts";

/** What a filter finds: on one wide page, and on pages of other sizes. */
export interface JudgedPages extends KnownFilter {
  readonly walks: readonly Walk[];
  /** Whether the wide page has everything that the filter finds; asked only if other pages have further items. */
  readonly isWideWhole: boolean;
  /** The pages after the last one of those sizes that divide the number of items. */
  readonly beyond: readonly Page[];
}

/** Reads what a filter finds on pages of one item, of all items, of a part that divides them, and of one that does not. */
export async function readPages(
  ctx: CheckContext,
  id: OperationId,
  known: KnownFilter,
): Promise<JudgedPages> {
  const { filter, items } = known;
  const place: Place = { id, filter, origin: await originOf(ctx, id) };
  const length = items.length;
  const divisor = largestDivisor(length);
  const [small, large] = await pageSizes(ctx, id);
  const last = Math.ceil(length / small) - 1;
  // Where the whole list has an item that the filter does not find, filtering each page would leave a page empty.
  const gap = small === 1 ? await firstGap(ctx, id, items) : 0;
  const single = new Set([0, gap > 0 ? gap : 1, last].filter((number) => number <= last));
  const walks = [await pick(ctx, place, small, [...single])];
  const free = [length, divisor, Math.floor(length / 2) + 1].filter((size) => size > 1);
  const sizes = new Set(small === 1 ? free : [small, large]);
  for (const size of sizes) walks.push(await walk(ctx, place, size, items));
  const beyond: Page[] = [];
  // Pages need not be full, so only the reading of a size shows which page is the last.
  for (const { size, pages } of walks.filter(({ size }) => size > 1 && length % size === 0))
    if (pages.length === length / size) beyond.push(await readAt(ctx, place, size, pages.length));
  const isPagedSo = ({ pages }: Walk) => !(pages[0] && isPageRejected(pages[0].answer));
  const identity = await identityOf(ctx, id);
  const hasFurther = walks.some((one) => furtherOn(one, items, identity) > 0);
  const afterWide = hasFurther ? await readAt(ctx, place, await widestLimit(ctx, id), 1) : undefined;
  const isWideWhole = afterWide?.items.length === 0;
  return { ...known, walks: walks.filter(isPagedSo), beyond, isWideWhole };
}

/** The index of the first item of the whole list that a filter does not find, up to as many as it finds; -1 if there is none. */
async function firstGap(ctx: CheckContext, id: OperationId, found: readonly unknown[]): Promise<number> {
  const whole = await ctx.run.once(`list/${id}/at first`, () => readWidest(ctx, id));
  const identity = await identityOf(ctx, id);
  const own = new Set(found.map(identity));
  return whole.items.slice(0, found.length).findIndex((item) => !own.has(identity(item)));
}

/** The largest divisor of a number that leaves 2 to 5 pages; 1 if there is none. */
const largestDivisor = (length: number) =>
  [2, 3, 5].map((pages) => length / pages).find((size) => Number.isInteger(size)) ?? 1;
