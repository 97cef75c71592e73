import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { type Page, widestWindow, windows } from "../../fixtures/lists/pages.ts";
import { judgeTwice, readStable } from "../../fixtures/lists/stable-read.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { atLeast, windowOf } from "./enough.ts";
import { shownBy } from "./tolerated-pages.ts";
import { expectEveryItemOnce, expectSameUnion } from "./unions.ts";

const scope = "paging";

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.paged;

  check(
    `${id}/paging/limit-bounds-page`,
    "returns at most limit items",
    { must: limit, scope },
    async (ctx) => {
      await atLeast(ctx, id, 2);
      for (const size of [1, 2, 5, 50]) {
        const [window = {}] = await windows(ctx, id, size, 1);
        const { answer, items } = await shownBy(ctx, id, await sendWithRetry(ctx, id, { query: window }));
        const actual = `returned ${plural(items.length, "item")} for limit=${size}`;
        expectThat(items.length <= size, answer, actual, `at most ${size}`);
      }
    },
  );

  check(
    `${id}/paging/pages-differ`,
    "returns other items on the next page",
    { must: page, scope },
    async (ctx) => {
      const size = await windowOf(ctx, id, 2);
      const [one, two] = await readStable(ctx, id, await windows(ctx, id, size, 2));
      if (!one || !two || one.items.length === 0) return;
      expectThat(
        !sameItems(one.items, two.items, await identityOf(ctx, id)),
        two.answer,
        `returned ${plural(two.items.length, "item")} for one page, the same as for the page before it`,
        "other items of the list",
      );
    },
  );

  check(`${id}/paging/pages-disjoint`, "shows no item on two pages", { must: page, scope }, (ctx) =>
    judgeTwice(() => expectDisjointPages(ctx, id)),
  );

  check(
    `${id}/paging/one-by-one`,
    "shows a different item on each page of limit=1",
    { must: [...new Set([...limit, ...page])], scope },
    (ctx) => judgeTwice(() => expectDifferentItems(ctx, id)),
  );

  check(
    `${id}/paging/union-independent-of-limit`,
    "shows the same items whatever the limit",
    { must: page, scope },
    (ctx) =>
      judgeTwice(async () => {
        await expectSameUnion(ctx, id);
        await expectEveryItemOnce(ctx, id);
      }),
  );

  check(
    `${id}/paging/repeatable`,
    "returns items in the same order when they are read again",
    { should: "G03", scope },
    async (ctx) => {
      await atLeast(ctx, id, 3);
      // A changing order moves items out of a smaller window, which then looks as if new records had arrived.
      const window = await widestWindow(ctx, id);
      const [first, ...others] = await readStable(ctx, id, [window, window, window, window]);
      const identity = await identityOf(ctx, id);
      const order = (read: Page | undefined) => JSON.stringify(read?.items.map(identity));
      for (const other of others)
        expectThat(
          order(other) === order(first),
          other.answer,
          "returned the items in another order for the same request",
          "the same order",
        );
    },
  );

  check(
    `${id}/paging/full-pages`,
    "fills a page before it begins the next",
    { should: limit, scope },
    async (ctx) => {
      const size = await windowOf(ctx, id, 2);
      const [one, two] = await readStable(ctx, id, await windows(ctx, id, size, 2));
      if (!one || !two) return;
      expectThat(
        one.items.length >= size || two.items.length === 0,
        one.answer,
        `returned ${plural(one.items.length, "item")} for limit=${size}, but the next page has more`,
        "a full page",
      );
    },
  );

  check(
    `${id}/paging/layout`,
    "returns the list at a place of its choice",
    { observe: "G04", scope },
    async (ctx) => {
      ctx.observe("G04", `the list is at ${(await locate(ctx, id)).pointer || "the root"}`);
    },
  );
}

async function expectDisjointPages(ctx: CheckContext, id: OperationId) {
  const size = await windowOf(ctx, id, 3);
  const pages = await readStable(ctx, id, await windows(ctx, id, size, 3));
  const identity = await identityOf(ctx, id);
  for (const [index, earlier] of pages.entries()) {
    for (const { answer, items } of pages.slice(index + 1)) {
      const common = countCommon(earlier.items, items, identity);
      const actual = `returned ${plural(common, "item")} of an earlier page again (limit=${size})`;
      expectThat(common === 0, answer, actual, "pages that have no item in common");
    }
  }
}

async function expectDifferentItems(ctx: CheckContext, id: OperationId) {
  const steps = Math.min(5, (await atLeast(ctx, id, 3)) - 1);
  const pages = await readStable(ctx, id, await windows(ctx, id, 1, steps));
  const identity = await identityOf(ctx, id);
  const items = pages.flatMap((page) => page.items.map(identity));
  const different = new Set(items).size;
  const last = pages.at(-1);
  if (!last) return;
  const isFull = different === items.length && items.length >= steps;
  const actual = `returned ${plural(different, "different item")} on ${steps} pages of limit=1`;
  expectThat(isFull, last.answer, actual, `${steps} different items`);
}
