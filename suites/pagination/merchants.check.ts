import { isSuccess } from "../../fixtures/classify.ts";
import { shared } from "../../fixtures/identity.ts";
import { locate, readPage, widestWindow } from "../../fixtures/listing.ts";
import { judgeAnswered } from "../../fixtures/negative.ts";
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
      // Two merchants may know the same person.
      if (both > mine.length / 2)
        throw violation(theirs, `shows ${both} items of another merchant's list`, "the key's own alone");
    },
  );
}
