import { Inconclusive } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectAnswered, expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { firstWindow, readPage, readStable, widestWindow, windows } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { secondMerchant } from "../../fixtures/run/second-merchant.ts";
import { learnLimit, sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import { operations } from "../../schemas/contract.ts";
import { expectDifferentItems, expectDisjointPages, expectSameItems } from "./page-sets.ts";
import { atLeast, shownBy, windowOf } from "./reads.ts";

const scope = "paging";

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.paged;
  const mustLimit = { must: limit, scope } as const;
  const mustPage = { must: page, scope } as const;

  check(`${id}/paging/limit-bounds-page`, "returns at most limit items", mustLimit, async (ctx) => {
    for (const size of [50, 5, 2, 1]) {
      const query = await firstWindow(ctx, id, size);
      const { answer, items } = await shownBy(ctx, id, await sendWithRetry(ctx, id, { query }));
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
    },
  );

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

  check(
    `${id}/merchants-are-apart`,
    "lists no items of another merchant",
    { critical: "OWASP API1", scope },
    async (ctx) => {
      const { authorization, needAccepted } = secondMerchant(ctx);
      const window = await widestWindow(ctx, id);
      const { answer: own, items: mine } = await readPage(ctx, id, window);
      await needAccepted();
      const answer = await sendWithRetry(ctx, id, { query: window }, { authorization });
      expectAnswered(answer);
      if (!answer.isSuccess) return;
      const { items: theirs } = await shownBy(ctx, id, answer);
      const common = countCommon(mine, theirs, JSON.stringify);
      if (new Set(mine.map((item) => JSON.stringify(item))).size < mine.length)
        throw new Inconclusive("the items of the list cannot be told apart");
      const actual = `lists ${plural(common, "item")} of another merchant, unless both merchants were given the same data`;
      // Two merchants may know the same person, so a few common items prove nothing.
      expectThat(common <= mine.length / 2, answer, actual, "only the key's own items", [own]);
    },
  );
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
