import {
  type CheckContext,
  check,
  checksUnder,
  countCommon,
  demand,
  demandItems,
  listOf,
  type Page,
  type Query,
  sameItems,
} from "../../../fixtures/engine/vocabulary.ts";
import { pairsOf } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import {
  expectOfPages,
  expectUnderFilters,
  findBeyond,
  findMissing,
  findRepeated,
  findShort,
  findTooLong,
} from "./judged-pages.ts";
import {
  atLeast,
  expectAtMost,
  expectSameAgain,
  firstPages,
  firstTwoPages,
  judgeTwice,
  readTolerated,
} from "./reads.ts";
import { readAt } from "./walk.ts";

const scope = "paging";
const FAR_PAGE = 1_000_000;
/** What page 0 shows, by the number of the first page. */
const ON_PAGE_ZERO = { 0: "other items than page=1", 1: "the items of page=1" };
/** A limit that services may reduce or reject. */
const LARGE_LIMIT = 200;

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.paged;
  const mustLimit = { must: limit, scope } as const;
  const mustPage = { must: page, scope } as const;
  const check = checksUnder(`${id}/paging`);

  check("limit-bounds-page", "returns at most limit items", mustLimit, async (ctx) => {
    expectAtMost((await listOf(ctx, id).sizes()).widest, await listOf(ctx, id).first());
    for (const size of [5, 2, 1])
      expectAtMost(size, await readTolerated(ctx, id, await listOf(ctx, id).window(size)));
    await atLeast(ctx, id, 2);
  });

  check("small-limit", "accepts limit=5", { should: limit, scope }, async (ctx) => {
    const refused = await listOf(ctx, id).limitRefused();
    if (refused) demand(false, refused, `${refused.outcome} for limit=5`, "a page of at most 5 items");
  });

  check("pages-differ", "returns other items on the next page", mustPage, async (ctx) => {
    const { one, two, identity } = await firstTwoPages(ctx, id);
    if (one.items.length === 0) return;
    const isSame = sameItems(one.items, two.items, identity);
    const actual = `returned ${plural(two.items.length, "item")} for one page, the same as for the page before it`;
    demand(!isSame, two.response, actual, "other items of the list", [one.response]);
  });

  check("full-pages", "fills a page before the next", { should: limit, scope }, async (ctx) => {
    const { size, one, two } = await firstTwoPages(ctx, id);
    const isFull = one.items.length >= size || two.items.length === 0;
    const actual = `returned ${plural(one.items.length, "item")} for limit=${size}, but the next page has more`;
    demand(isFull, one.response, actual, "a full page", [two.response]);
    await expectFullWidest(ctx, id);
  });

  check("pages-disjoint", "shows no item on two pages", mustPage, (ctx) =>
    judgeTwice(async () => {
      const { size, pages, identity } = await firstPages(ctx, id, 3);
      for (const [earlier, { response, items }] of pairsOf(pages)) {
        const common = countCommon(earlier.items, items, identity);
        const actual = `returned ${plural(common, "item")} of an earlier page again (limit=${size})`;
        demand(common === 0, response, actual, "pages that have no item in common", [earlier.response]);
      }
    }),
  );

  const mustBoth = { must: [...new Set([...limit, ...page])], scope } as const;
  check("one-by-one", "shows a different item on each page of limit=1", mustBoth, (ctx) =>
    judgeTwice(async () => {
      const { small: size } = await listOf(ctx, id).sizes();
      const length = await atLeast(ctx, id, size === 1 ? 3 : 2 * size);
      const steps = size === 1 ? Math.min(5, length - 1) : 2;
      const pages = await listOf(ctx, id).stable(await listOf(ctx, id).windows(size, steps));
      const identity = await listOf(ctx, id).identity();
      const items = pages.flatMap((page) => page.items.map(identity));
      const different = new Set(items).size;
      const [last, ...others] = pages.map(({ response }) => response).toReversed();
      if (!last) return;
      const isFull = different === items.length && items.length >= steps;
      const actual = `returned ${plural(different, "different item")} on ${steps} pages of limit=${size}`;
      demand(isFull, last, actual, `${steps} different items`, others.toReversed());
    }),
  );

  const goesOn = "goes on where the page before ended, also for a large limit";
  check("large-limit", goesOn, { should: mustBoth.must, scope }, async (ctx) => {
    const place = { id, filter: {}, origin: await listOf(ctx, id).origin() };
    const { small, widest } = await listOf(ctx, id).sizes();
    const identity = await listOf(ctx, id).identity();
    await judgeTwice(async (read) => {
      const wide = await listOf(ctx, id)[read]();
      const limit = wide.items.length < widest ? widest : LARGE_LIMIT;
      const one = limit === widest ? wide : await readTolerated(ctx, id, { limit, page: place.origin });
      const { length } = one.items;
      // The API may reject a large limit, or return fewer items.
      if (length === 0 || length >= limit) return;
      const further = await readAt(ctx, place, small, Math.floor(length / small));
      const known = new Set(one.items.map(identity));
      const following = further.items.filter((item) => !known.has(identity(item)));
      if (following.length === 0) return;
      const two = await readAt(ctx, place, limit, 1);
      const lost = following.length - countCommon(following, two.items, identity);
      const actual = `returned ${plural(length, "item")} for limit=${limit}, and a next page that lacks the items after them`;
      demand(lost === 0, two.response, actual, "a page that goes on after them", [
        one.response,
        further.response,
      ]);
    });
  });

  check("union-independent-of-limit", "shows the same items for any limit", mustPage, async (ctx) => {
    await atLeast(ctx, id, 2);
    const whole = await listOf(ctx, id).first();
    for (const judge of [findMissing, findRepeated])
      await expectOfPages(ctx, id, { filter: {}, ...whole }, judge);
  });

  // Section 8: limit and page cut what a filter has selected, as they cut the whole list.
  for (const [name, title, level, judge] of [
    ["limit", "returns at most limit items", { must: limit }, findTooLong],
    ["pages-disjoint", "shows no item on two pages", { must: page }, findRepeated],
    ["union", "shows the same items for any limit", { must: page }, findMissing],
    ["full", "fills a page before the next", { should: limit }, findShort],
    ["end", "shows no item again after the last page", { should: "G03" }, findBeyond],
  ] as const)
    check(`filtered-${name}`, `${title} under each filter`, { ...level, scope }, (ctx) =>
      expectUnderFilters(ctx, id, judge),
    );

  const repeatable = "returns items in the same order when they are read again";
  check("repeatable", repeatable, { should: "G03", scope }, async (ctx) => {
    await atLeast(ctx, id, 3);
    const identity = await listOf(ctx, id).identity();
    // A changing order moves items out of a smaller window, which then looks as if new records had arrived.
    const again = Array(4).fill(await listOf(ctx, id).window());
    const inOrder = (items: readonly unknown[]) => JSON.stringify(items.map(identity));
    await expectSameAgain(ctx, id, again, "the same order", (a, b) => inOrder(a) === inOrder(b));
  });

  check("layout", "location of the list", { observe: "G04", scope }, async (ctx) => {
    ctx.observe("G04", `the list is at ${(await listOf(ctx, id).located()).pointer || "the root"}`);
  });

  const bounded = "returns at most limit items far beyond the end";
  check("far-page-is-bounded", bounded, mustLimit, async (ctx) => {
    await atLeast(ctx, id, 2);
    const window = await farWindow(ctx, id);
    const page = await readFarPage(ctx, id, window);
    expectAtMost(window.limit, page, " far beyond the end");
  });

  const farPage = "neither crashes nor starts again from the first page far beyond the end";
  check("far-page", farPage, { should: "G03", scope }, async (ctx) => {
    const expected = "an empty page, 400 or 404";
    await atLeast(ctx, id, 2);
    const known = await listOf(ctx, id).first();
    const window = await farWindow(ctx, id);
    const { response, items } = await readFarPage(ctx, id, window);
    const what = `limit=${window.limit} and page=${window.page}`;
    demand(response.statusClass !== 5, response, `${response.outcome} for ${what}`, expected);
    const again = countCommon(known.items, items, await listOf(ctx, id).identity());
    const actual = `returned ${plural(again, "item")} of the first page again for ${what}`;
    demand(again === 0, response, actual, expected, [known.response]);
  });

  check("beyond-the-end", "handling of a page beyond the end", { observe: "G03", scope }, async (ctx) => {
    const { response, items } = await readFarPage(ctx, id, await farWindow(ctx, id));
    const content = items.length > 0 ? " and has items" : " and has no items";
    ctx.observe("G03", `a page beyond the end ${response.fate}${response.kind === "done" ? content : ""}`);
  });

  check("origin", "handling of page=0", { observe: "G03", scope }, async (ctx) => {
    const { zero: response, origin } = await listOf(ctx, id).located();
    if (!response) return;
    ctx.note(response);
    const { items } = await listOf(ctx, id).itemsOf(response);
    const shown = origin === undefined ? "items" : ON_PAGE_ZERO[origin];
    const content = ` and has ${items.length > 0 ? shown : "no items"}`;
    ctx.observe("G03", `page=0 ${response.fate}${response.kind === "done" ? content : ""}`);
  });

  const checkOutside = checksUnder(id);
  for (const [name, query, what, level] of [
    ["limit-0", { limit: 0 }, "limit=0", { should: "G03" }],
    ["limit-negative", { limit: -1 }, "limit=-1", { should: "G03" }],
    ["page-negative", { page: -1 }, "page=-1", { should: "G03" }],
  ] as const)
    checkOutside(name, `refuses ${what} or returns no items`, level, async (ctx) => {
      const expected = "400 or no items";
      const page = await readTolerated(ctx, id, query);
      if (page.response.statusClass === 5)
        ctx.warn(`${page.response.outcome} for ${what}; expected ${expected}`, {
          response: page.response,
        });
      demandItems(page, "none", what, expected);
    });
}

/**
 * Demands that a page as large as the API allows is full if others follow: further down, an item may take several places.
 * A service may return fewer items than limit asks for, but not fewer than it does return.
 */
async function expectFullWidest(ctx: CheckContext, id: OperationId) {
  const { items } = await listOf(ctx, id).first();
  const { widest } = await listOf(ctx, id).sizes();
  const limit = items.length;
  if (limit < 2 || limit >= widest) return;
  const [first, second] = await listOf(ctx, id).windows(limit, 2);
  const read = (window: Query = {}) => listOf(ctx, id).page(window, { mayNotExist: true });
  const two = await read(second);
  if (two.items.length === 0) return;
  const one = await read(first);
  if (one.response.kind !== "done") return;
  const actual = `returned ${plural(one.items.length, "item")} for limit=${limit}, but the next page has more`;
  demand(one.items.length >= limit, one.response, actual, "a full page", [two.response]);
}

/** A page far beyond the end, as small as the API allows. */
const farWindow = async (ctx: CheckContext, id: OperationId) => ({
  limit: (await listOf(ctx, id).sizes()).small,
  page: FAR_PAGE,
});

/** Reads a page far beyond the end, which the API may reject; once per run. */
async function readFarPage(ctx: CheckContext, id: OperationId, query: Query): Promise<Page> {
  const key = `list/${id}/far/${JSON.stringify(query)}`;
  return listOf(ctx, id).itemsOf(await ctx.once(key, () => ctx.send(id, { query })));
}

const AGAIN = "returns the same transfers when they are read again";
check("listTransfers/reading-changes-nothing", AGAIN, { should: "RFC 9110", scope }, async (ctx) => {
  const identity = await listOf(ctx, "listTransfers").identity();
  // The last read agrees with the first, so a read between them that differs was not changed by others.
  const again = Array(3).fill(await listOf(ctx, "listTransfers").window(5));
  await expectSameAgain(ctx, "listTransfers", again, "the same transfers", (one, other) =>
    sameItems(one, other, identity),
  );
});

// One more than the largest 32-bit integer, and a limit that is only large.
for (const limit of [2_147_483_648, 1_000_000_000]) {
  const title = `neither crashes nor returns more than 4 MiB for limit=${limit}`;
  check(`listTransfers/limit-${limit}`, title, { should: "N42" }, async (ctx) => {
    const expected = "400, or a page of the API's own maximum";
    const response = await ctx.send("listTransfers", { query: { limit } });
    demand(response.statusClass !== 5, response, `${response.outcome} for limit=${limit}`, expected);
    demand(!response.oversized, response, `returned more than 4 MiB for limit=${limit}`, expected);
    ctx.observe("N42", `limit=${limit} ${response.fate}`);
  });
}
