import {
  type CheckContext,
  checksUnder,
  countCommon,
  demand,
  ifDecided,
  listOf,
  type Page,
  type Query,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { plural } from "../../../reports/wording.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import { isMasked, textsByField } from "./shown-texts.ts";

const scope = "paging";

for (const { id, list, fresh } of operations) {
  if (!list?.paged) continue;
  const check = checksUnder(id);
  const apart = "lists no items of another merchant";
  check("merchants-are-apart", apart, { critical: "OWASP API1", scope }, async (ctx) => {
    const { authorization, profile } = ctx.other;
    const window = await listOf(ctx, id).window();
    await profile();
    // A filter may take another way to the records.
    const common: number[] = [];
    for (const query of [window, ...(await filtersOf(ctx, id)).map((filter) => ({ ...window, ...filter }))]) {
      const own = await listOf(ctx, id).page(query);
      // A service that keeps the merchant outside of the request mixes up those that ask at the same moment.
      const keys = query === window ? [authorization, undefined, authorization] : [authorization];
      const pages = await readAtOnce(ctx, id, query, keys);
      const isOwn = ({ response }: Page) => response.isSentWith(ctx.target.secretKey);
      const least = leastOf(query === window, fresh === "search", common);
      for (const mine of [own, ...pages.filter(isOwn)])
        for (const theirs of pages.filter((page) => !isOwn(page)))
          common.push(expectApart(mine, theirs, least));
    }
    if (fresh === "search" && areStrangers(common)) await expectSearchesApart(ctx, id, list.search);
  });
}

/** Whether two merchants were compared and had nothing in common. */
const areStrangers = (common: readonly number[]) => common.length > 0 && common.every((count) => count === 0);

/** A filter for each parameter by which something is found. */
async function filtersOf(ctx: CheckContext, id: OperationId) {
  const known = (await ifDecided(listOf(ctx, id).filters())) ?? [];
  return [...new Map(known.map(({ filter }) => [Object.keys(filter).join(), filter])).values()];
}

/** The pages that are returned to these keys, which ask at the same moment; that of the run where none is given. */
async function readAtOnce(
  ctx: CheckContext,
  id: OperationId,
  query: Query,
  keys: readonly (string | undefined)[],
) {
  const asked = await Promise.all(
    keys.map((key) => ctx.send(id, { query }, key === undefined ? {} : { authorization: key })),
  );
  return Promise.all(
    asked.filter(({ kind }) => kind === "done").map((response) => listOf(ctx, id).itemsOf(response)),
  );
}

/** Of what a filter finds, so many items are no coincidence. */
const LEAST_FILTERED = 3;

/** How many items a page must have: two merchants may know the same person, so a few common ones prove nothing. */
const leastOf = (isWhole: boolean, isOfPeople: boolean, common: readonly number[]) =>
  isWhole || (!isOfPeople && areStrangers(common)) ? 1 : LEAST_FILTERED;

/**
 * Demands that a page does not show most items of another merchant's; pages with fewer than `least` prove nothing. Returns
 * how many it shows.
 */
function expectApart(mine: Page, theirs: Page, least: number): number {
  const common = countCommon(mine.items, theirs.items, JSON.stringify);
  const areDistinct = new Set(mine.items.map((item) => JSON.stringify(item))).size === mine.items.length;
  // Two persons may be the same behind a mask.
  if (!areDistinct || mine.items.some(isMasked)) undecided("the items of the list cannot be told apart");
  const actual = `lists ${plural(common, "item")} of another merchant, unless both merchants were given the same data`;
  const isProof = common > mine.items.length / 2 && mine.items.length >= least;
  demand(!isProof, theirs.response, actual, "only the key's own items", [mine.response]);
  return common;
}

/**
 * Demands that another merchant does not find items by any field that they show: a search may look at several, and forget
 * at some of them whose records it may show.
 */
async function expectSearchesApart(ctx: CheckContext, id: OperationId, search: string) {
  const { response, items: all } = await listOf(ctx, id).first();
  const window = await listOf(ctx, id).window();
  for (const { text, items } of textsByField(all)) {
    const found = await ctx.other.send(id, { query: { ...window, [search]: text } });
    expectApart({ response, items }, await listOf(ctx, id).itemsOf(found), LEAST_FILTERED);
  }
}
