import {
  checksUnder,
  countCommon,
  demand,
  demandItems,
  listOf,
  observes,
  type Page,
} from "../../../fixtures/engine/vocabulary.ts";
import { plural } from "../../../reports/wording.ts";
import { operations } from "../../../schemas/contract.ts";
import { expectOfPages, expectUnderFilters, findMissing, findRepeated } from "./judged-pages.ts";
import { atLeast, readTolerated } from "./reads.ts";

const scope = "paging";
const FAR_PAGE = 1_000_000;
/** What page 0 shows, by the number of the first page. */
const ON_PAGE_ZERO = { 0: "other items than page=1", 1: "the items of page=1" };
/** A limit that services may reduce or reject. */
const LARGE_LIMIT = 200;

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.paged;
  const check = checksUnder(`${id}/paging`);

  check("small-limit", "accepts limit=5", { should: limit, scope }, async (ctx) => {
    const refused = await listOf(ctx, id).limitRefused();
    if (refused) demand(false, refused, `${refused.outcome} for limit=5`, "a page of at most 5 items");
  });

  // Section 8: limit and page cut what a filter has selected, as they cut the whole list.
  for (const [ofAll, filtered, title, judge] of [
    ["pages-disjoint", "filtered-pages-disjoint", "shows no item on two pages", findRepeated],
    ["union-independent-of-limit", "filtered-union", "shows the same items for any limit", findMissing],
  ] as const) {
    check(ofAll, title, { must: page, scope }, async (ctx) => {
      await atLeast(ctx, id, 2);
      await expectOfPages(ctx, id, { filter: {}, ...(await listOf(ctx, id).first()) }, judge);
    });
    check(filtered, `${title} under each filter`, { must: page, scope }, (ctx) =>
      expectUnderFilters(ctx, id, judge),
    );
  }

  const mustBoth = [...new Set([...limit, ...page])];
  const goesOn = "goes on where the page before ended, also for a large limit";
  check("large-limit", goesOn, { critical: mustBoth, scope }, async (ctx) => {
    const page = await listOf(ctx, id).origin();
    const { small, widest } = await listOf(ctx, id).sizes();
    const identity = await listOf(ctx, id).identity();
    const { items: wide } = await listOf(ctx, id).first();
    const limit = wide.length < widest ? widest : LARGE_LIMIT;
    const { length } = limit === widest ? wide : (await readTolerated(ctx, id, { limit, page })).items;
    // The API may reject a large limit, or return fewer items.
    if (length === 0 || length >= limit) return;
    const after = { limit: small, page: page + Math.floor(length / small) };
    const windows = [{ limit, page }, after, { limit, page: page + 1 }];
    const [one, further, two] = await listOf(ctx, id).stable(windows);
    if (!one || !further || !two) return;
    const known = new Set(one.items.map(identity));
    const following = further.items.filter((item) => !known.has(identity(item)));
    const lost = following.length - countCommon(following, two.items, identity);
    const actual = `returned ${plural(one.items.length, "item")} for limit=${limit}, and a next page that lacks the items after them`;
    const others = [one.response, further.response];
    demand(lost === 0, two.response, actual, "a page that goes on after them", others);
  });

  const repeatable = "returns the same items in the same order when they are read again";
  check("repeatable", repeatable, { should: "G03", scope }, async (ctx) => {
    await atLeast(ctx, id, 3);
    const identity = await listOf(ctx, id).identity();
    // The last read agrees with the first, so a read between them that differs was not changed by others.
    const again = Array(4).fill(await listOf(ctx, id).window(5));
    const [first, ...others] = await listOf(ctx, id).stable(again);
    const inOrder = ({ items = [] }: Partial<Page> = {}) => JSON.stringify(items.map(identity));
    const actual = "returned other items, or another order, for the same request";
    for (const page of others)
      demand(inOrder(page) === inOrder(first), page.response, actual, "the same items in the same order", [
        ...(first ? [first.response] : []),
      ]);
  });

  const farPage = "neither crashes nor starts again from the first page far beyond the end";
  check("far-page", farPage, { should: "G03", scope }, async (ctx) => {
    const expected = "an empty page, 400 or 404";
    await atLeast(ctx, id, 2);
    const known = await listOf(ctx, id).first();
    const { small: limit } = await listOf(ctx, id).sizes();
    const { response, items } = await readTolerated(ctx, id, { limit, page: FAR_PAGE });
    const content = items.length > 0 ? " and has items" : " and has no items";
    ctx.observe("G03", `a page beyond the end ${response.fate}${response.kind === "done" ? content : ""}`);
    const what = `limit=${limit} and page=${FAR_PAGE}`;
    demand(response.statusClass !== 5, response, `${response.outcome} for ${what}`, expected);
    const again = countCommon(known.items, items, await listOf(ctx, id).identity());
    const actual = `returned ${plural(again, "item")} of the first page again for ${what}`;
    demand(again === 0, response, actual, expected, [known.response]);
  });

  check(
    "origin",
    "location of the list, and handling of page=0",
    { observe: "G03,G04", scope },
    async (ctx) => {
      const { pointer, zero: response, origin } = await listOf(ctx, id).located();
      ctx.observe("G04", `the list is at ${pointer || "the root"}`);
      if (!response) return;
      ctx.note(response);
      const { items } = await listOf(ctx, id).itemsOf(response);
      const shown = origin === undefined ? "items" : ON_PAGE_ZERO[origin];
      const content = ` and has ${items.length > 0 ? shown : "no items"}`;
      ctx.observe("G03", `page=0 ${response.fate}${response.kind === "done" ? content : ""}`);
    },
  );

  const checkOutside = checksUnder(id);
  for (const [name, query, what, level] of [
    ["limit-0", { limit: 0 }, "limit=0", { should: "G03" }],
    ["limit-negative", { limit: -1 }, "limit=-1", { should: "G03" }],
    ["page-negative", { page: -1 }, "page=-1", { should: "G03" }],
  ] as const)
    checkOutside(name, `refuses ${what} or returns no items`, level, async (ctx) => {
      const expected = "400 or no items";
      const page = await readTolerated(ctx, id, query);
      if (page.response.isServerError)
        ctx.warn(`${page.response.outcome} for ${what}; expected ${expected}`, {
          response: page.response,
        });
      demandItems(page, "none", what, expected);
    });
}

// One more than the largest 32-bit integer, and a limit that is only large.
for (const limit of [2_147_483_648, 1_000_000_000])
  observes(`listTransfers/limit-${limit}`, "N42", `limit=${limit}`, { query: { limit } });
