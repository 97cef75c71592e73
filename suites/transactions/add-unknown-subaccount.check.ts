import { attemptPatiently, judgeRefused } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";

const ID = "addSplitSubaccount";

check(
  "addSplitSubaccount/sub_account_id-unknown",
  { level: "SHOULD", critical: true, requirements: ["R051"], probe: true },
  async (bench) => {
    bench.need("SPLIT_PAGE_ID");
    const change = { body: { sub_account_id: bench.run.builder.fresh() } };
    const answer = await attemptPatiently(bench, ID, change);
    await judgeRefused(bench, ID, answer, {
      what: "nobody has the subaccount",
      field: "sub_account_id",
    });
  },
);
