import { Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { readPage, widestWindow } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { operations } from "../../schemas/contract.ts";
import { atLeast, windowOf } from "./enough.ts";

const FAR_PAGE = 1_000_000;
const scope = "paging";

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit } = list.requirements;

  check(`${id}/paging/far-page-is-bounded`, "TITLE", { must: limit, scope }, async (ctx) => {
    await atLeast(ctx, id, 2);
    const answer = await sendWithRetry(ctx, id, { query: { limit: 1, page: FAR_PAGE } });
    expectAnswered(answer);
    if (!answer.isSuccess) return;
    const { length } = itemsAt(answer.json, (await locate(ctx, id)).pointer);
    if (length > 1)
      throw new Violation(answer, `answered ${length} items to limit=1 far beyond the end`, "at most 1");
  });

  check(`${id}/paging/far-page`, "TITLE", { should: "G03", scope }, async (ctx) => {
    const size = await windowOf(ctx, id, 2);
    const known = await readPage(ctx, id, await widestWindow(ctx, id));
    const answer = await sendWithRetry(ctx, id, { query: { limit: size, page: FAR_PAGE } });
    expectAnswered(answer);
    if (answer.is5xx)
      throw new Violation(answer, `${outcomeOf(answer)} to page=${FAR_PAGE}`, "an empty page, 400 or 404");
    const items = answer.is2xx ? itemsAt(answer.json, (await locate(ctx, id)).pointer) : [];
    const again = countCommon(known.items, items, await identityOf(ctx, id));
    if (again > 0) {
      throw new Violation(
        answer,
        `answered ${again} items of the first page again to page=${FAR_PAGE}`,
        "an empty page, 400 or 404",
      );
    }
  });

  check(`${id}/paging/beyond-the-end`, "TITLE", { observe: "G03", scope }, async (ctx) => {
    const answer = await sendWithRetry(ctx, id, { query: { limit: 5, page: FAR_PAGE } });
    const items = answer.isSuccess ? itemsAt(answer.json, (await locate(ctx, id)).pointer).length : 0;
    ctx.observe(
      "G03",
      `a page beyond the end ${outcomeOf(answer)}${answer.isSuccess ? (items > 0 ? " with items" : " without items") : ""}`,
    );
  });

  check(`${id}/paging/origin`, "TITLE", { observe: "G03", scope }, async (ctx) => {
    const identity = await identityOf(ctx, id);
    const zero = await sendWithRetry(ctx, id, { query: { limit: 2, page: 0 } });
    const one = await readPage(ctx, id, { limit: 2, page: 1 });
    const items = zero.isSuccess ? itemsAt(zero.json, (await locate(ctx, id)).pointer) : [];
    const what =
      items.length === 0
        ? "no items"
        : sameItems(items, one.items, identity)
          ? "the items of page=1"
          : "items of its own";
    ctx.observe("G03", `page=0 ${outcomeOf(zero)} with ${what}`);
  });

  for (const [name, query] of [
    ["limit-0", { limit: 0 }],
    ["limit-negative", { limit: -1 }],
    ["page-negative", { page: -1 }],
  ] as const) {
    check(`${id}/${name}`, "TITLE", { should: "G03" }, async (ctx) => {
      const answer = await sendWithRetry(ctx, id, { query });
      expectAnswered(answer);
      if (answer.is5xx) throw new Violation(answer, outcomeOf(answer), "400, or no items");
      if (!answer.isSuccess) return;
      const { length } = itemsAt(answer.json, (await locate(ctx, id)).pointer);
      if (length > 0) throw new Violation(answer, `answered ${length} items`, "400, or no items");
    });
  }

  check(`${id}/paging/number-forms`, "TITLE", { observe: "G08", scope }, async (ctx) => {
    for (const form of ["05", "+5", "5.0"]) {
      const answer = await sendWithRetry(
        ctx,
        id,
        {},
        { rawQuery: `limit=${encodeURIComponent(form)}&page=1` },
      );
      ctx.observe("G08", `limit=${form} ${outcomeOf(answer)}`);
    }
  });
}
