import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { check } from "../../fixtures/run/check.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";

const ID = "addSplitSubaccount";

check(
  "addSplitSubaccount/sub_account_id-unknown",
  "TITLE",
  { critical: ["R051"], probe: true },
  async (ctx) => {
    ctx.need("SPLIT_PAGE_ID");
    const change = { body: { sub_account_id: ctx.run.builder.fresh() } };
    const answer = await sendInvalidWithRetry(ctx, ID, change);
    await expectRejected(ctx, answer, {
      what: "nobody has the subaccount",
      field: "sub_account_id",
    });
  },
);
