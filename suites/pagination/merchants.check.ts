import { Inconclusive } from "../../fixtures/http/findings.ts";
import { expectAnswered, expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon } from "../../fixtures/lists/identity.ts";
import { pageOf, readPage, widestWindow } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { secondMerchant } from "../../fixtures/run/second-merchant.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import { operations } from "../../schemas/contract.ts";

for (const { id, list } of operations) {
  if (!list?.paged) continue;

  check(
    `${id}/merchants-are-apart`,
    "lists no items of another merchant",
    { critical: "OWASP API1", scope: "paging" },
    async (ctx) => {
      const { authorization, needAccepted } = secondMerchant(ctx);
      const window = await widestWindow(ctx, id);
      const { items: mine } = await readPage(ctx, id, window);
      await needAccepted();
      const answer = await sendWithRetry(ctx, id, { query: window }, { authorization });
      expectAnswered(answer);
      if (!answer.isSuccess) return;
      const { items: theirs } = await pageOf(ctx, id, answer);
      const common = countCommon(mine, theirs, JSON.stringify);
      if (new Set(mine.map((item) => JSON.stringify(item))).size < mine.length)
        throw new Inconclusive("the items of the list cannot be told apart");
      // Two merchants may know the same person, so a few common items prove nothing.
      expectThat(
        common <= mine.length / 2,
        answer,
        `lists ${plural(common, "item")} of another merchant, unless both merchants were given the same data`,
        "only the key's own items",
      );
    },
  );
}
