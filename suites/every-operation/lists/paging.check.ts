import { Inconclusive } from "../../../fixtures/engine/http/findings.ts";
import { handlingOf, outcomeOf } from "../../../fixtures/engine/http/wording.ts";
import { expectAnswered, expectNoItems, expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { countCommon, sameItems } from "../../../fixtures/engine/lists/identity.ts";
import {
  firstWindow,
  identityOf,
  locate,
  pageOf,
  pageSizes,
  readPage,
  readStable,
  readWidest,
  windows,
} from "../../../fixtures/engine/lists/list.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import { secondMerchant } from "../../../fixtures/engine/run/control.ts";
import { learnLimit } from "../../../fixtures/engine/run/send.ts";
import { plural } from "../../../reports/wording.ts";
import { operations } from "../../../schemas/contract.ts";
import {
  atLeast,
  expectDifferentItems,
  expectDisjointPages,
  expectSameItems,
  readTolerated,
  windowOf,
} from "./reads.ts";
import { expectUnderFilters, findBeyond, findMissing, findRepeated, findTooLong } from "./walk.ts";

const scope = "paging";

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.paged;
  const mustLimit = { must: limit, scope } as const;
  const mustPage = { must: page, scope } as const;

  check(`${id}/paging/limit-bounds-page`, "returns at most limit items", mustLimit, async (ctx) => {
    for (const size of [50, 5, 2, 1]) {
      const query = await firstWindow(ctx, id, size);
      const { answer, items } = await pageOf(ctx, id, await ctx.send(id, { query }));
      const actual = `returned ${plural(items.length, "item")} for limit=${size}`;
      expectThat(items.length <= size, answer, actual, `at most ${size}`);
    }
    await atLeast(ctx, id, 2);
  });

  check(`${id}/paging/small-limit`, "accepts limit=5", { should: limit, scope }, async (ctx) => {
    const refused = await learnLimit(ctx, id);
    if (refused) expectThat(false, refused, `${outcomeOf(refused)} for limit=5`, "a page of at most 5 items");
  });

  check(`${id}/paging/pages-differ`, "returns other items on the next page", mustPage, async (ctx) => {
    const size = await windowOf(ctx, id, 2);
    const [one, two] = await readStable(ctx, id, await windows(ctx, id, size, 2));
    if (!one || !two || one.items.length === 0) return;
    const isSame = sameItems(one.items, two.items, await identityOf(ctx, id));
    const actual = `returned ${plural(two.items.length, "item")} for one page, the same as for the page before it`;
    expectThat(!isSame, two.answer, actual, "other items of the list", [one.answer]);
  });

  check(`${id}/paging/pages-disjoint`, "shows no item on two pages", mustPage, (ctx) =>
    expectDisjointPages(ctx, id),
  );

  check(
    `${id}/paging/one-by-one`,
    "shows a different item on each page of limit=1",
    { must: [...new Set([...limit, ...page])], scope },
    (ctx) => expectDifferentItems(ctx, id),
  );

  check(`${id}/paging/union-independent-of-limit`, "shows the same items for any limit", mustPage, (ctx) =>
    expectSameItems(ctx, id),
  );

  const repeatable = "returns items in the same order when they are read again";
  check(`${id}/paging/repeatable`, repeatable, { should: "G03", scope }, async (ctx) => {
    await atLeast(ctx, id, 3);
    // A changing order moves items out of a smaller window, which then looks as if new records had arrived.
    const window = await firstWindow(ctx, id);
    const [first, ...others] = await readStable(ctx, id, [window, window, window, window]);
    const identity = await identityOf(ctx, id);
    const order = (items: readonly unknown[] = []) => JSON.stringify(items.map(identity));
    const actual = "returned the items in another order for the same request";
    for (const { answer, items } of others)
      expectThat(
        order(items) === order(first?.items),
        answer,
        actual,
        "the same order",
        first && [first.answer],
      );
  });

  check(`${id}/paging/full-pages`, "fills a page before the next", { should: limit, scope }, async (ctx) => {
    const size = await windowOf(ctx, id, 2);
    const [one, two] = await readStable(ctx, id, await windows(ctx, id, size, 2));
    if (!one || !two) return;
    const isFull = one.items.length >= size || two.items.length === 0;
    const actual = `returned ${plural(one.items.length, "item")} for limit=${size}, but the next page has more`;
    expectThat(isFull, one.answer, actual, "a full page", [two.answer]);
  });

  check(`${id}/paging/layout`, "returns the list where it likes", { observe: "G04", scope }, async (ctx) => {
    ctx.observe("G04", `the list is at ${(await locate(ctx, id)).pointer || "the root"}`);
  });

  const merchantsAreApart = "lists no items of another merchant";
  check(`${id}/merchants-are-apart`, merchantsAreApart, { critical: "OWASP API1", scope }, async (ctx) => {
    const { authorization, needAccepted } = secondMerchant(ctx);
    const window = await firstWindow(ctx, id);
    const { answer: own, items: mine } = await readPage(ctx, id, window);
    await needAccepted();
    const answer = await ctx.send(id, { query: window }, { authorization });
    expectAnswered(answer);
    if (!answer.isSuccess) return;
    const { items: theirs } = await pageOf(ctx, id, answer);
    const common = countCommon(mine, theirs, JSON.stringify);
    if (new Set(mine.map((item) => JSON.stringify(item))).size < mine.length)
      throw new Inconclusive("the items of the list cannot be told apart");
    const actual = `lists ${plural(common, "item")} of another merchant, unless both merchants were given the same data`;
    // Two merchants may know the same person, so a few common items prove nothing.
    expectThat(common <= mine.length / 2, answer, actual, "only the key's own items", [own]);
  });
}

const LIST = "listTransfers";

check(
  "listTransfers/reading-changes-nothing",
  "returns the same transfers when they are read again",
  { should: "RFC 9110", scope },
  async (ctx) => {
    const window = await firstWindow(ctx, LIST, 5);
    const [first, ...others] = await readStable(ctx, LIST, [window, window, window]);
    const identity = await identityOf(ctx, LIST);
    // The last read agrees with the first, so a read between them that differs was not changed by others.
    for (const { answer, items } of others) {
      const isSame = sameItems(first?.items ?? [], items, identity);
      expectThat(
        isSame,
        answer,
        "returned other transfers for the same request",
        "the same transfers",
        first && [first.answer],
      );
    }
  },
);

// Section 8: limit and page cut what a filter has selected, as they cut the whole list.
for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.paged;

  for (const [name, title, level, judge] of [
    ["limit", "returns at most limit items", { must: limit }, findTooLong],
    ["pages-disjoint", "shows no item on two pages", { must: page }, findRepeated],
    ["union", "shows the same items for any limit", { must: page }, findMissing],
    ["end", "shows no item again after the last page", { should: "G03" }, findBeyond],
  ] as const)
    check(
      `${id}/paging/filtered-${name}`,
      `${title} under each filter`,
      { ...level, scope: "paging" },
      (ctx) => expectUnderFilters(ctx, id, judge),
    );
}

const FAR_PAGE = 1_000_000;

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit } = list.paged;

  const farPageIsBounded = "returns at most limit items far beyond the end";
  check(`${id}/paging/far-page-is-bounded`, farPageIsBounded, { must: limit, scope }, async (ctx) => {
    const [size] = await pageSizes(ctx, id);
    await atLeast(ctx, id, 2);
    const { answer, items } = await readTolerated(ctx, id, { limit: size, page: FAR_PAGE });
    const actual = `returned ${plural(items.length, "item")} for limit=${size} far beyond the end`;
    expectThat(items.length <= size, answer, actual, `at most ${size}`);
  });

  const farPage = "neither crashes nor starts again from the first page far beyond the end";
  check(`${id}/paging/far-page`, farPage, { should: "G03", scope }, async (ctx) => {
    const expected = "an empty page, 400 or 404";
    const size = await windowOf(ctx, id, 2);
    const known = await readWidest(ctx, id);
    const answer = await ctx.send(id, { query: { limit: size, page: FAR_PAGE } });
    expectAnswered(answer);
    expectThat(!answer.is5xx, answer, `${outcomeOf(answer)} for page=${FAR_PAGE}`, expected);
    const { items } = await pageOf(ctx, id, answer);
    const again = countCommon(known.items, items, await identityOf(ctx, id));
    const actual = `returned ${plural(again, "item")} of the first page again for page=${FAR_PAGE}`;
    expectThat(again === 0, answer, actual, expected, [known.answer]);
  });

  const beyondTheEnd = "accepts or rejects a page beyond the end";
  check(`${id}/paging/beyond-the-end`, beyondTheEnd, { observe: "G03", scope }, async (ctx) => {
    const answer = await ctx.send(id, { query: { limit: 5, page: FAR_PAGE } });
    const { items } = await pageOf(ctx, id, answer);
    const content = items.length > 0 ? " and has items" : " and has no items";
    ctx.observe("G03", `a page beyond the end ${handlingOf(answer)}${answer.isSuccess ? content : ""}`);
  });

  check(`${id}/paging/origin`, "accepts or rejects page=0", { observe: "G03", scope }, async (ctx) => {
    const identity = await identityOf(ctx, id);
    const answer = await ctx.send(id, { query: { limit: 2, page: 0 } });
    const one = await readPage(ctx, id, { limit: 2, page: 1 });
    const zero = await pageOf(ctx, id, answer);
    const shown = sameItems(zero.items, one.items, identity)
      ? "the items of page=1"
      : "other items than page=1";
    const content = ` and has ${zero.items.length > 0 ? shown : "no items"}`;
    ctx.observe("G03", `page=0 ${handlingOf(answer)}${answer.isSuccess ? content : ""}`);
  });

  for (const [name, query, what, level] of [
    ["limit-0", { limit: 0 }, "limit=0", { critical: "G03" }],
    ["limit-negative", { limit: -1 }, "limit=-1", { critical: "G03" }],
    ["page-negative", { page: -1 }, "page=-1", { should: "G03" }],
  ] as const) {
    check(`${id}/${name}`, `refuses ${what} or returns no items`, level, async (ctx) => {
      const expected = "400 or no items";
      const page = await readTolerated(ctx, id, query);
      if (page.answer.is5xx)
        ctx.warn(`${outcomeOf(page.answer)} for ${what}; expected ${expected}`, { answer: page.answer });
      expectNoItems(page, what, expected);
    });
  }

  const numberForms = "accepts or rejects limit as 05, +5 and 5.0";
  check(`${id}/paging/number-forms`, numberForms, { observe: "G08", scope }, async (ctx) => {
    for (const form of ["05", "+5", "5.0"]) {
      const rawQuery = `limit=${encodeURIComponent(form)}&page=1`;
      const answer = await ctx.send(id, {}, { rawQuery });
      ctx.observe("G08", `limit=${form} ${handlingOf(answer)}`);
    }
  });
}

// One more than the largest 32-bit integer, and a limit that is only large.
for (const limit of [2_147_483_648, 1_000_000_000]) {
  const title = `neither crashes nor returns more than 4 MiB for limit=${limit}`;
  check(`listTransfers/limit-${limit}`, title, { should: "N42" }, async (ctx) => {
    const expected = "400, or a page of the API's own maximum";
    const answer = await ctx.send("listTransfers", { query: { limit } });
    expectAnswered(answer);
    expectThat(!answer.is5xx, answer, `${outcomeOf(answer)} for limit=${limit}`, expected);
    expectThat(!answer.oversized, answer, `returned more than 4 MiB for limit=${limit}`, expected);
    ctx.observe("N42", `limit=${limit} ${handlingOf(answer)}`);
  });
}
