import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { expectAnswered, expectNoItems, expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { pageOf, readPage, readWidest } from "../../fixtures/lists/pages.ts";
import { pageSizes } from "../../fixtures/lists/query.ts";
import { check } from "../../fixtures/run/check.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import { operations } from "../../schemas/contract.ts";
import { atLeast, readTolerated, shownBy, windowOf } from "./reads.ts";

const FAR_PAGE = 1_000_000;
const scope = "paging";

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit } = list.paged;

  check(
    `${id}/paging/far-page-is-bounded`,
    "returns at most limit items far beyond the end",
    { must: limit, scope },
    async (ctx) => {
      const [size] = await pageSizes(ctx, id);
      await atLeast(ctx, id, 2);
      const { answer, items } = await readTolerated(ctx, id, { limit: size, page: FAR_PAGE });
      const actual = `returned ${plural(items.length, "item")} for limit=${size} far beyond the end`;
      expectThat(items.length <= size, answer, actual, `at most ${size}`);
    },
  );

  check(
    `${id}/paging/far-page`,
    "neither crashes nor starts again from the first page far beyond the end",
    { should: "G03", scope },
    async (ctx) => {
      const expected = "an empty page, 400 or 404";
      const size = await windowOf(ctx, id, 2);
      const known = await readWidest(ctx, id);
      const answer = await sendWithRetry(ctx, id, { query: { limit: size, page: FAR_PAGE } });
      expectAnswered(answer);
      expectThat(!answer.is5xx, answer, `${outcomeOf(answer)} for page=${FAR_PAGE}`, expected);
      const { items } = answer.is2xx ? await pageOf(ctx, id, answer) : { items: [] };
      const again = countCommon(known.items, items, await identityOf(ctx, id));
      const actual = `returned ${plural(again, "item")} of the first page again for page=${FAR_PAGE}`;
      expectThat(again === 0, answer, actual, expected, [known.answer]);
    },
  );

  check(
    `${id}/paging/beyond-the-end`,
    "accepts or rejects a page beyond the end",
    { observe: "G03", scope },
    async (ctx) => {
      const answer = await sendWithRetry(ctx, id, { query: { limit: 5, page: FAR_PAGE } });
      const { items } = await shownBy(ctx, id, answer);
      const content = items.length > 0 ? " and has items" : " and has no items";
      ctx.observe("G03", `a page beyond the end ${handlingOf(answer)}${answer.isSuccess ? content : ""}`);
    },
  );

  check(`${id}/paging/origin`, "accepts or rejects page=0", { observe: "G03", scope }, async (ctx) => {
    const identity = await identityOf(ctx, id);
    const answer = await sendWithRetry(ctx, id, { query: { limit: 2, page: 0 } });
    const one = await readPage(ctx, id, { limit: 2, page: 1 });
    const zero = await shownBy(ctx, id, answer);
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

  check(
    `${id}/paging/number-forms`,
    "accepts or rejects limit as 05, +5 and 5.0",
    { observe: "G08", scope },
    async (ctx) => {
      for (const form of ["05", "+5", "5.0"]) {
        const rawQuery = `limit=${encodeURIComponent(form)}&page=1`;
        const answer = await sendWithRetry(ctx, id, {}, { rawQuery });
        ctx.observe("G08", `limit=${form} ${handlingOf(answer)}`);
      }
    },
  );
}

// One more than the largest 32-bit integer, and a limit that is only large.
for (const limit of [2_147_483_648, 1_000_000_000]) {
  const title = `neither crashes nor returns more than 4 MiB for limit=${limit}`;
  check(`listTransfers/limit-${limit}`, title, { should: "N42" }, async (ctx) => {
    const expected = "400, or a page of the API's own maximum";
    const answer = await sendWithRetry(ctx, "listTransfers", { query: { limit } });
    expectAnswered(answer);
    expectThat(!answer.is5xx, answer, `${outcomeOf(answer)} for limit=${limit}`, expected);
    expectThat(!answer.oversized, answer, `returned more than 4 MiB for limit=${limit}`, expected);
    ctx.observe("N42", `limit=${limit} ${handlingOf(answer)}`);
  });
}
