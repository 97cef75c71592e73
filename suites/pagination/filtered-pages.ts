import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { countCommon, type Identity, sameItems } from "../../fixtures/lists/identity.ts";
import { type KnownFilter, knownFilters } from "../../fixtures/lists/known-filters.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { type Page, readWidest } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { isPageRejected } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { type Place, pick, readAt, type Walk, walk } from "./walk.ts";

/** What a filter finds: on one wide page, and on pages of other sizes. */
export interface FilteredPages extends KnownFilter {
  readonly walks: readonly Walk[];
  /** The pages after the last one of those sizes that divide the number of items. */
  readonly beyond: readonly Page[];
}

const ATTEMPTS = 3;

/** What is wrong with the pages of a filter; `undefined` if nothing is. */
type Judge = (pages: FilteredPages, identity: Identity) => Violation | undefined;

/**
 * Demands that a judge finds nothing wrong with the pages of any filter of a list that finds something. Others may
 * change the list meanwhile, so what is wrong must show again while the filter finds the same items before and after.
 */
export async function expectUnderFilters(ctx: CheckContext, id: OperationId, judge: Judge) {
  for (const known of await requireFilters(ctx, id)) await expectOfPages(ctx, id, known, judge);
}

/** As {@link expectUnderFilters}, of one filter. */
export async function expectOfPages(ctx: CheckContext, id: OperationId, known: KnownFilter, judge: Judge) {
  const identity = await identityOf(ctx, id);
  const key = `pages/${id}/${JSON.stringify(known.filter)}/${known.answer.requestId}`;
  const pages = await ctx.run.once(key, () => readFilteredPages(ctx, id, known));
  for (const { answer } of allPages(pages)) ctx.note(answer);
  if (judge(pages, identity)) await confirm(ctx, id, known.filter, judge);
}

/** Filters that find something; throws `Inconclusive` if none finds two items. */
async function requireFilters(ctx: CheckContext, id: OperationId) {
  const filters = await knownFilters(ctx, id);
  const most = Math.max(0, ...filters.map(({ items }) => items.length));
  if (most >= 2) return filters;
  const { items } = await readWidest(ctx, id);
  throw new Inconclusive(
    `the list has ${plural(items.length, "item")}, of which no filter that this run knows finds more than ${most}, but this check needs 2: add data that share a status or a word`,
  );
}

async function confirm(ctx: CheckContext, id: OperationId, filter: Query, judge: Judge) {
  const identity = await identityOf(ctx, id);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await readWidest(ctx, id, filter);
    const pages = await readFilteredPages(ctx, id, { filter, ...before });
    const after = await readWidest(ctx, id, filter);
    if (!sameItems(before.items, after.items, identity)) continue;
    const found = judge(pages, identity);
    if (found) throw found;
    throw new Inconclusive(
      `moving data: the pages for ${wordsFor(filter)} were wrong, but not when they were read again`,
    );
  }
  throw new Inconclusive(
    "moving data: the list changes while it is read; repeat the run while no one else uses the deployment",
  );
}

/** Reads what a filter finds on pages of one item, of all items, of a part that divides them, and of one that does not. */
async function readFilteredPages(
  ctx: CheckContext,
  id: OperationId,
  known: KnownFilter,
): Promise<FilteredPages> {
  const { filter, items } = known;
  const { origin } = await locate(ctx, id);
  if (origin === undefined) throw new Inconclusive("the number of the first page could not be found out");
  const place: Place = { id, filter, origin };
  const length = items.length;
  const divisor = largestDivisor(length);
  const walks = [
    await pick(
      ctx,
      place,
      1,
      [...new Set([0, 1, length - 1])].filter((number) => number < length),
    ),
  ];
  const sizes = new Set([length, divisor, Math.floor(length / 2) + 1].filter((size) => size > 1));
  for (const size of sizes) walks.push(await walk(ctx, place, size, items));
  const beyond: Page[] = [];
  for (const size of [length, divisor].filter((size) => size > 1))
    beyond.push(await readAt(ctx, place, size, length / size));
  const isPagedSo = ({ pages }: Walk) => !(pages[0] && isPageRejected(pages[0].answer));
  return { ...known, walks: walks.filter(isPagedSo), beyond };
}

/** The largest divisor of a number that leaves 2 to 5 pages; 1 if there is none. */
const largestDivisor = (length: number) =>
  [2, 3, 5].map((pages) => length / pages).find((size) => Number.isInteger(size)) ?? 1;

const allPages = ({ walks, beyond }: FilteredPages) => [...walks.flatMap(({ pages }) => pages), ...beyond];

const wordsFor = (filter: Query) =>
  Object.entries(filter)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("&");

/** Finds a page with more items than limit. */
export const findTooLong: Judge = ({ filter, walks }) => {
  for (const { size, pages } of walks) {
    const long = pages.find(({ items }) => items.length > size);
    const actual = `returned ${plural(long?.items.length ?? 0, "item")} for limit=${size} and ${wordsFor(filter)}`;
    if (long) return new Violation(long.answer, actual, `at most ${size}, under a filter as well`);
  }
  return undefined;
};

/** Finds a page with items of an earlier one. */
export const findRepeated: Judge = ({ filter, walks }, identity) => {
  for (const { size, pages } of walks) {
    for (const [index, { answer, items }] of pages.entries()) {
      const earlier = pages.slice(0, index).flatMap((page) => page.items);
      const common = countCommon(earlier, items, identity);
      const actual = `returned ${plural(common, "item")} of an earlier page again for limit=${size} and ${wordsFor(filter)}`;
      if (common > 0) return new Violation(answer, actual, "pages that have no item in common");
    }
  }
  return undefined;
};

/** Finds pages that lack items of the wide page, or single ones that have other items. */
export const findMissing: Judge = ({ filter, items: known, walks }, identity) => {
  for (const { size, pages, isWhole } of walks) {
    const last = pages.at(-1);
    const empty = isWhole ? undefined : pages.find(({ items }) => items.length === 0);
    const when = `limit=${size} and ${wordsFor(filter)}, which finds ${known.length} on a wide page`;
    if (empty)
      return new Violation(
        empty.answer,
        `${outcomeOf(empty.answer)} without items for one of the pages of ${when}`,
        "an item",
      );
    const shown = pages.flatMap(({ items }) => items);
    const common = countCommon(known, shown, identity);
    const missing = isWhole ? known.length - countCommon(shown, known, identity) : shown.length - common;
    const fault = isWhole ? `lack ${plural(missing, "item")}` : `have ${plural(missing, "other item")}`;
    if (last && missing > 0)
      return new Violation(
        last.answer,
        `returned pages that ${fault} for ${when}`,
        "the same items, whatever the limit",
      );
  }
  return undefined;
};

/** Finds items on the page after the last one. */
export const findBeyond: Judge = ({ filter, items: known, beyond }, identity) => {
  const wrong = beyond.find(({ items }) => countCommon(known, items, identity) > 0);
  const actual = `returned items again on the page after the last one for ${wordsFor(filter)}`;
  return wrong && new Violation(wrong.answer, actual, "no items, 400 or 404");
};
