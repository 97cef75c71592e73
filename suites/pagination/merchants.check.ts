import { judgeAnswered } from "../../fixtures/answered.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { shared } from "../../fixtures/identity.ts";
import { locate, readPage, widestWindow } from "../../fixtures/listing.ts";
import { itemsAt } from "../../fixtures/pointer.ts";
import { sendPatiently } from "../../fixtures/positive.ts";
import { secondMerchant } from "../../fixtures/second-merchant.ts";
import { check } from "../../fixtures/test.ts";
import { violation } from "../../fixtures/wording.ts";
import { operations } from "../../schemas/contract.ts";

for (const { id, list } of operations) {
  if (!list?.paged) continue;

  check(
    `${id}/merchants-are-apart`,
    { level: "SHOULD", critical: true, source: "OWASP API1", scope: "paging" },
    async (bench) => {
      const { authorization, isKnown } = secondMerchant(bench);
      const window = await widestWindow(bench, id);
      const { items: mine } = await readPage(bench, id, window);
      await isKnown();
      const theirs = await sendPatiently(bench, id, { query: window }, { authorization });
      judgeAnswered(theirs);
      if (!isSuccess(theirs)) return;
      const { pointer } = await locate(bench, id);
      const both = shared(mine, itemsAt(theirs.json, pointer), JSON.stringify);
      if (new Set(mine.map((item) => JSON.stringify(item))).size < mine.length)
        throw new Inconclusive("the items of the list cannot be told apart");
      // Two merchants may know the same person.
      if (both > mine.length / 2)
        throw violation(
          theirs,
          `shows ${both} items of another merchant's list, unless both were seeded alike`,
          "the key's own alone",
        );
    },
  );
}
