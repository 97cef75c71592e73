import { learnWhole, shareOwnId } from "../../../fixtures/engine/lists/items.ts";
import type { KnownFilter } from "../../../fixtures/engine/lists/known-filters.ts";
import { untilStable } from "../../../fixtures/engine/lists/list.ts";
import {
  type CheckContext,
  countCommon,
  listOf,
  type Page,
  type Query,
  sameItems,
  undecided,
  Violation,
} from "../../../fixtures/engine/vocabulary.ts";
import { plural } from "../../../reports/wording.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { countCopies, distinct, furtherOn, itemOf, type JudgedPages, readPages } from "./walk.ts";

/** What is wrong with the pages of a filter; `undefined` if nothing is. */
type Judge = (pages: JudgedPages) => Violation | undefined;

/** Finds a page with items of an earlier one. */
export const findRepeated: Judge = ({ filter, walks, identity }) => {
  for (const { size, pages } of walks) {
    for (const [index, { response, items }] of pages.entries()) {
      const before = pages.slice(0, index);
      const earlier = before.flatMap((page) => page.items);
      const common = countCommon(earlier, items, identity) + countCopies(items, identity);
      const actual = `returned ${plural(common, "item")} again for ${wordsFor({ limit: size, ...filter })}`;
      if (common > 0)
        return new Violation(response, actual, "each item once, on one page", responsesOf(before));
    }
  }
  return undefined;
};

/** Finds pages that lack items of the wide page, or have items that it lacks. */
export const findMissing: Judge = ({
  filter,
  response: wide,
  items: known,
  walks,
  isWideWhole,
  identity,
}) => {
  for (const one of walks) {
    const { size, pages, isWhole } = one;
    const last = pages.at(-1)?.response;
    const when = `${wordsFor({ limit: size, ...filter })}, although a wide page has ${known.length}`;
    const empty = isWhole ? undefined : pages.find(({ items }) => items.length === 0)?.response;
    if (empty)
      return new Violation(empty, `${empty.outcome} without items for a page of ${when}`, "an item", [wide]);
    const shown = pages.flatMap(({ items }) => items);
    const missing = isWhole ? known.length - countCommon(shown, known, identity) : 0;
    const further = isWideWhole || !isWhole ? furtherOn(one, known, identity) : 0;
    const fault = missing > 0 ? `lack ${plural(missing, "item")}` : `have ${plural(further, "further item")}`;
    if (last && missing + further > 0)
      return new Violation(
        last,
        `returned pages that ${fault} for ${when}`,
        "the same items, whatever the limit",
        [wide, ...responsesOf(pages)],
      );
  }
  return undefined;
};

const responsesOf = (pages: readonly Page[]) => pages.map(({ response }) => response);

/** Writes a filter as a query. */
export const wordsFor = (filter: Query) =>
  Object.entries(filter)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("&");

/**
 * Demands that a judge finds nothing wrong with the pages of any filter of a list that finds something. Others may
 * change the list meanwhile, so what is wrong must show again while the filter finds the same items before and after.
 */
export async function expectUnderFilters(ctx: CheckContext, id: OperationId, judge: Judge) {
  for (const known of await requireFilters(ctx, id)) await expectOfPages(ctx, id, known, judge);
}

/** As {@link expectUnderFilters}, of one filter. */
export async function expectOfPages(ctx: CheckContext, id: OperationId, known: KnownFilter, judge: Judge) {
  const key = `pages/${id}/${JSON.stringify(known.filter)}/${known.response.requestId}`;
  const pages = await ctx.run.once(key, async () => readPages(ctx, id, await distinct(ctx, id, known)));
  for (const { response } of pages.walks.flatMap((one) => one.pages)) ctx.note(response);
  if (await findWrong(ctx, id, pages, judge)) await confirm(ctx, id, known, judge);
}

/**
 * What is wrong with pages. Rows that share an identifier but differ are told apart by all that they show; those that are
 * equal to another one even then, as attempts of the same second are, say nothing. On which page the equal ones are is
 * known only if one page has all.
 */
async function findWrong(ctx: CheckContext, id: OperationId, pages: JudgedPages, judge: Judge) {
  const found = judge(pages);
  if (!found) return undefined;
  const { items: again } = await listOf(ctx, id).widest(pages.filter);
  const shown = [pages, ...pages.walks.flatMap((one) => one.pages)].map(({ items }) => items);
  const whole = learnWhole(shown, [pages.items, again]);
  if (!shareOwnId(shown.flat(), whole)) return found;
  if (pages.items.length >= (await listOf(ctx, id).sizes()).widest) return undefined;
  const counts = new Map<string, number>();
  for (const item of pages.items.map(whole)) counts.set(item, (counts.get(item) ?? 0) + 1);
  const told = <P extends Page>(page: P): P => ({
    ...page,
    items: page.items.filter((item) => counts.get(whole(item)) === 1),
  });
  const toldOn = (all: readonly Page[]) =>
    all.flatMap((page) => (page.items.length > 0 && told(page).items.length === 0 ? [] : [told(page)]));
  const walks = pages.walks.map((one) => ({ ...one, pages: toldOn(one.pages) }));
  return judge({ ...told(pages), identity: whole, walks });
}

/** Filters that find something; throws `Inconclusive` if none finds two items. */
async function requireFilters(ctx: CheckContext, id: OperationId) {
  const filters = await listOf(ctx, id).filters();
  const most = Math.max(0, ...filters.map(({ items }) => items.length));
  if (most >= 2) return filters;
  const { items } = await listOf(ctx, id).widest();
  const item = itemOf(id);
  undecided(
    `the list has ${plural(items.length, item)}, of which no filter that this run knows finds more than ${most}, but this check needs 2`,
    { advice: `add ${item}s that share a status or a word` },
  );
}

async function confirm(
  ctx: CheckContext,
  id: OperationId,
  { filter, items: first }: KnownFilter,
  judge: Judge,
) {
  const pages = await untilStable(async () => {
    const before = await distinct(ctx, id, { filter, ...(await listOf(ctx, id).widest(filter)) });
    const value = await readPages(ctx, id, before);
    // A page may be remembered for a moment: read again at once, it would show no change.
    await ctx.run.settling.pause();
    const after = await listOf(ctx, id).widest(filter);
    return { value, stable: sameItems(before.items, after.items, before.identity) };
  });
  const found = await findWrong(ctx, id, pages, judge);
  if (found) throw found;
  // If others added or removed items during the first reading, the second one is right.
  if (sameItems(first, pages.items, pages.identity))
    undecided(`moving data: the pages ${wordsFor(filter)} were wrong, but not when they were read again`, {
      advice: "repeat the run while no one else uses the deployment",
    });
}
