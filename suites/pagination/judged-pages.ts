import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { countCommon, type Identity, sameItems } from "../../fixtures/lists/identity.ts";
import { type KnownFilter, knownFilters } from "../../fixtures/lists/known-filters.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { type Page, readWidest } from "../../fixtures/lists/pages.ts";
import { pageSizes, type Query, widestLimit } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { isPageRejected } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { type Place, pick, readAt, type Walk, walk } from "./walk.ts";

/** What a filter finds: on one wide page, and on pages of other sizes. */
export interface JudgedPages extends KnownFilter {
  readonly walks: readonly Walk[];
  /** Whether the wide page has everything that the filter finds; asked only if other pages have further items. */
  readonly isWhole: boolean;
  /** The pages after the last one of those sizes that divide the number of items. */
  readonly beyond: readonly Page[];
}

const ATTEMPTS = 3;

/** What is wrong with the pages of a filter; `undefined` if nothing is. */
type Judge = (pages: JudgedPages, identity: Identity) => Violation | undefined;

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
  const pages = await ctx.run.once(key, () => readPages(ctx, id, known));
  for (const { answer } of allPages(pages)) ctx.note(answer);
  if (judge(pages, identity)) await confirm(ctx, id, known, judge);
}

/** Filters that find something; throws `Inconclusive` if none finds two items. */
async function requireFilters(ctx: CheckContext, id: OperationId) {
  const filters = await knownFilters(ctx, id);
  const most = Math.max(0, ...filters.map(({ items }) => items.length));
  if (most >= 2) return filters;
  const { items } = await readWidest(ctx, id);
  const { item = "item" } = (contract[id] as Operation).list ?? {};
  throw new Inconclusive(
    `the list has ${plural(items.length, item)}, of which no filter that this run knows finds more than ${most}, but this check needs 2: add ${item}s that share a status or a word`,
  );
}

async function confirm(
  ctx: CheckContext,
  id: OperationId,
  { filter, items: first }: KnownFilter,
  judge: Judge,
) {
  const identity = await identityOf(ctx, id);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await readWidest(ctx, id, filter);
    const pages = await readPages(ctx, id, { filter, ...before });
    const after = await readWidest(ctx, id, filter);
    if (!sameItems(before.items, after.items, identity)) continue;
    const found = judge(pages, identity);
    if (found) throw found;
    // Others added or removed items during the first reading, and the second one is right.
    if (!sameItems(first, before.items, identity)) return;
    throw new Inconclusive(
      `moving data: the pages ${wordsFor(filter)} were wrong, but not when they were read again`,
    );
  }
  throw new Inconclusive(
    "moving data: the list changes while it is read; repeat the run while no one else uses the deployment",
  );
}

/** Reads what a filter finds on pages of one item, of all items, of a part that divides them, and of one that does not. */
async function readPages(ctx: CheckContext, id: OperationId, known: KnownFilter): Promise<JudgedPages> {
  const { filter, items } = known;
  const { origin } = await locate(ctx, id);
  if (origin === undefined) throw new Inconclusive("the number of the first page could not be found out");
  const place: Place = { id, filter, origin };
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
  const isWhole = afterWide?.items.length === 0;
  return { ...known, walks: walks.filter(isPagedSo), beyond, isWhole };
}

/** The first place of the whole list, within as many items as a filter finds, that has none of them; -1 if there is none. */
async function firstGap(ctx: CheckContext, id: OperationId, found: readonly unknown[]): Promise<number> {
  const whole = await ctx.run.once(`list/${id}/at first`, () => readWidest(ctx, id));
  const identity = await identityOf(ctx, id);
  const own = new Set(found.map(identity));
  return whole.items.slice(0, found.length).findIndex((item) => !own.has(identity(item)));
}

/** Counts the items on pages of one size that the wide page lacks. */
function furtherOn({ pages }: Walk, known: readonly unknown[], identity: Identity): number {
  const shown = pages.flatMap(({ items }) => items);
  return shown.length - countCommon(known, shown, identity);
}

/** The largest divisor of a number that leaves 2 to 5 pages; 1 if there is none. */
const largestDivisor = (length: number) =>
  [2, 3, 5].map((pages) => length / pages).find((size) => Number.isInteger(size)) ?? 1;

const allPages = ({ walks, beyond }: JudgedPages) => [...walks.flatMap(({ pages }) => pages), ...beyond];

const countCopies = (items: readonly unknown[], identity: Identity) =>
  items.length - new Set(items.map(identity)).size;

const wordsFor = (filter: Query) =>
  Object.entries(filter)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("&");

/** Finds a page with more items than limit. */
export const findTooLong: Judge = ({ filter, walks }) => {
  for (const { size, pages } of walks) {
    const long = pages.find(({ items }) => items.length > size);
    const actual = `returned ${plural(long?.items.length ?? 0, "item")} for ${wordsFor({ limit: size, ...filter })}`;
    if (long) return new Violation(long.answer, actual, `at most ${size}`);
  }
  return undefined;
};

/** Finds a page with items of an earlier one. */
export const findRepeated: Judge = ({ filter, walks }, identity) => {
  for (const { size, pages } of walks) {
    for (const [index, { answer, items }] of pages.entries()) {
      const earlier = pages.slice(0, index).flatMap((page) => page.items);
      const common = countCommon(earlier, items, identity) + countCopies(items, identity);
      const actual = `returned ${plural(common, "item")} again for ${wordsFor({ limit: size, ...filter })}`;
      if (common > 0) return new Violation(answer, actual, "each item once, on one page");
    }
  }
  return undefined;
};

/** Finds pages that lack items of the wide page, or have items that it lacks. */
export const findMissing: Judge = ({ filter, items: known, walks, isWhole: isAll }, identity) => {
  for (const one of walks) {
    const { size, pages, isWhole } = one;
    const last = pages.at(-1)?.answer;
    const when = `${wordsFor({ limit: size, ...filter })}, although a wide page has ${known.length}`;
    const empty = isWhole ? undefined : pages.find(({ items }) => items.length === 0)?.answer;
    if (empty)
      return new Violation(empty, `${outcomeOf(empty)} without items for a page of ${when}`, "an item");
    const shown = pages.flatMap(({ items }) => items);
    const missing = isWhole ? known.length - countCommon(shown, known, identity) : 0;
    const further = isAll || !isWhole ? furtherOn(one, known, identity) : 0;
    const fault = missing > 0 ? `lack ${plural(missing, "item")}` : `have ${plural(further, "further item")}`;
    if (last && missing + further > 0)
      return new Violation(
        last,
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
