import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { countCommon } from "../../fixtures/lists/identity.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readPage, widestWindow } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { secondMerchant } from "../../fixtures/run/second-merchant.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { operations } from "../../schemas/contract.ts";

for (const { id, list } of operations) {
  if (!list?.paged) continue;

  check(`${id}/merchants-are-apart`, "TITLE", { critical: "OWASP API1", scope: "paging" }, async (ctx) => {
    const { authorization, needAccepted } = secondMerchant(ctx);
    const window = await widestWindow(ctx, id);
    const { items: mine } = await readPage(ctx, id, window);
    await needAccepted();
    const theirs = await sendWithRetry(ctx, id, { query: window }, { authorization });
    expectAnswered(theirs);
    if (!theirs.isSuccess) return;
    const { pointer } = await locate(ctx, id);
    const both = countCommon(mine, itemsAt(theirs.json, pointer), JSON.stringify);
    if (new Set(mine.map((item) => JSON.stringify(item))).size < mine.length)
      throw new Inconclusive("the items of the list cannot be told apart");
    // Two merchants may know the same person.
    if (both > mine.length / 2)
      throw new Violation(
        theirs,
        `shows ${both} items of another merchant's list, unless both were seeded alike`,
        "the key's own alone",
      );
  });
}
