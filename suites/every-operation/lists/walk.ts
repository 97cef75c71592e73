import { type Identity, learnIdentity, learnWhole } from "../../../fixtures/engine/lists/items.ts";
import type { KnownFilter } from "../../../fixtures/engine/lists/known-filters.ts";
import { isPageRejected } from "../../../fixtures/engine/run/paging.ts";
import {
  type CheckContext,
  countCommon,
  listOf,
  type Page,
  type Query,
  sameItems,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";

/** A list, a filter that narrows it, and the number of its first page. */
interface Place {
  readonly id: OperationId;
  readonly filter: Query;
  readonly origin: 0 | 1;
}

/** Pages of one size, as far as they were read. */
export interface Walk {
  readonly size: number;
  readonly pages: readonly Page[];
  /** Whether the pages were read until they had shown all known items or nothing new came. */
  readonly isWhole: boolean;
}

/** Reads the page after this many others. */
export function readAt(ctx: CheckContext, place: Place, limit: number, before: number): Promise<Page> {
  const { id, filter, origin } = place;
  return listOf(ctx, id).page({ ...filter, limit, page: origin + before }, { mayNotExist: true });
}

/**
 * Reads pages of one size until they have shown all known items, or one is empty or the same as an earlier one. A page
 * that is not full is neither wrong nor the end of a list, so a list may have more pages than if all were full.
 */
async function walk(ctx: CheckContext, place: Place, size: number, known: Distinct): Promise<Walk> {
  const { items, identity } = known;
  const missing = new Set(items.map(identity));
  const pages: Page[] = [];
  for (let most = 2 * Math.ceil(items.length / size) + 2; missing.size > 0 && pages.length < most; ) {
    const page = await readAt(ctx, place, size, pages.length);
    const isRepeated = pages.some(({ items }) => sameItems(items, page.items, identity));
    pages.push(page);
    for (const item of page.items) missing.delete(identity(item));
    if (page.items.length === 0 || isRepeated) break;
  }
  return { size, pages, isWhole: true };
}

async function pick(ctx: CheckContext, place: Place, size: number, before: readonly number[]): Promise<Walk> {
  const pages: Page[] = [];
  for (const number of before) pages.push(await readAt(ctx, place, size, number));
  return { size, pages, isWhole: false };
}

/** Counts the items on pages of one size that the wide page lacks. */
export function furtherOn({ pages }: Walk, known: readonly unknown[], identity: Identity): number {
  const shown = pages.flatMap(({ items }) => items);
  return shown.length - countCommon(known, shown, identity);
}

/** What a filter finds, and how its items are told apart. */
export interface Distinct extends KnownFilter {
  readonly identity: Identity;
}

/** Learns how the items are told apart that a filter finds: later ones may share what identified the earlier ones. */
export async function distinct(ctx: CheckContext, id: OperationId, known: KnownFilter): Promise<Distinct> {
  const usual = await listOf(ctx, id).identity();
  if (countCopies(known.items, usual) === 0) return { ...known, identity: usual };
  const { items: again } = await listOf(ctx, id).widest(known.filter);
  const twice = [known.items, again] as const;
  // A later page shows which fields only say where on its page an item is.
  const place: Place = { id, filter: known.filter, origin: await listOf(ctx, id).origin() };
  const later = await readAt(ctx, place, (await listOf(ctx, id).sizes()).large, 1);
  const pages = [known.items, later.items];
  return { ...known, identity: learnIdentity(pages, twice) ?? learnWhole(pages, twice) };
}

/** What a filter finds: on one wide page, and on pages of other sizes. */
export interface JudgedPages extends Distinct {
  readonly walks: readonly Walk[];
  /** Whether the wide page has everything that the filter finds; asked only if other pages have further items. */
  readonly isWideWhole: boolean;
}

/**
 * Reads what a filter finds: some pages of one item, then all pages of a size that divides the number of items, which is that
 * number itself where no other will do, and of a size that does not.
 */
export async function readPages(ctx: CheckContext, id: OperationId, known: Distinct): Promise<JudgedPages> {
  const { filter, items, identity } = known;
  const place: Place = { id, filter, origin: await listOf(ctx, id).origin() };
  const length = items.length;
  const divisor = largestDivisor(length);
  const { small, large, widest } = await listOf(ctx, id).sizes();
  const last = Math.ceil(length / small) - 1;
  // Where the whole list has an item that the filter does not find, filtering each page would leave a page empty.
  const gap = small === 1 ? await firstGap(ctx, id, known) : 0;
  const single = new Set([0, gap > 0 ? gap : 1, last].filter((number) => number <= last));
  const walks = [await pick(ctx, place, small, [...single])];
  const free = [divisor > 1 ? divisor : length, Math.floor(length / 2) + 1].filter((size) => size > 1);
  const sizes = new Set(small === 1 ? free : [small, large]);
  for (const size of sizes) walks.push(await walk(ctx, place, size, known));
  const isPagedSo = ({ pages }: Walk) => !(pages[0] && isPageRejected(pages[0].response));
  const hasFurther = walks.some((one) => furtherOn(one, items, identity) > 0);
  const afterWide = hasFurther ? await readAt(ctx, place, widest, 1) : undefined;
  const isWideWhole = afterWide?.items.length === 0;
  return { ...known, walks: walks.filter(isPagedSo), isWideWhole };
}

/** The index of the first item of the whole list that a filter does not find, up to as many as it finds; -1 if there is none. */
async function firstGap(ctx: CheckContext, id: OperationId, found: Distinct): Promise<number> {
  const { items, identity } = found;
  const whole = await listOf(ctx, id).first();
  const own = new Set(items.map(identity));
  return whole.items.slice(0, items.length).findIndex((item) => !own.has(identity(item)));
}

/** The largest divisor of a number that leaves 2 to 5 pages; 1 if there is none. */
const largestDivisor = (length: number) =>
  [2, 3, 5].map((pages) => length / pages).find((size) => Number.isInteger(size)) ?? 1;

/** How many items are there more than once. */
export const countCopies = (items: readonly unknown[], identity: Identity) =>
  items.length - new Set(items.map(identity)).size;

/** No list of a test deployment has more pages. */
const FARTHEST = 1 << 16;

/**
 * Finds the last page that has items, counted from 0, with few reads: it doubles its steps until a page is empty, then
 * halves them. `known` is a page that has items; an API that repeats its last page for ever ends at the farthest page.
 */
export async function lastFilledPage(
  known: number,
  isFilled: (page: number) => Promise<boolean>,
): Promise<number> {
  let filled = known;
  let empty = Math.max(1, known) * 2;
  while (empty < FARTHEST && (await isFilled(empty))) [filled, empty] = [empty, empty * 2];
  while (empty - filled > 1) {
    const middle = Math.floor((filled + empty) / 2);
    if (await isFilled(middle)) filled = middle;
    else empty = middle;
  }
  return filled;
}

/** What one item of a list is called. */
export const itemOf = (id: OperationId): string => (contract[id] as Operation).list?.item ?? "item";
