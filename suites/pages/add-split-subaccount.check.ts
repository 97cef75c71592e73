import { mismatch } from "../../fixtures/http/mismatch.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { shouldReject } from "../../fixtures/judge/check-families.ts";
import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectAnswered, expectNotAccepted, expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { SimpleError } from "../../schemas/bodies.ts";
import { describeChange, rejectionTitle } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "addSplitSubaccount";
const { noun } = contract[ID];

check(
  "addSplitSubaccount/share-as-sent",
  "returns the share and the subaccount as they were sent",
  { should: ["R052"] },
  async (ctx) => {
    const answer = await requireControl(ctx, ID);
    const { shere, sub_account_id } = bodySent(answer);
    const [share, subaccount] = [answer.field("share"), answer.field("subaccount")];
    expectThat(
      share === shere && subaccount === sub_account_id,
      answer,
      `returned share ${JSON.stringify(share)} and subaccount ${JSON.stringify(subaccount)}`,
      `share ${JSON.stringify(shere)} and subaccount ${JSON.stringify(sub_account_id)}, as sent`,
    );
  },
);

const PAGE_UNKNOWN = "no split page has this id";
check(
  "addSplitSubaccount/page-unknown/refused",
  rejectionTitle(noun, PAGE_UNKNOWN),
  { critical: ["R053"] },
  async (ctx) => expectNotAccepted(await toUnknownPage(ctx), PAGE_UNKNOWN),
);
check(
  "addSplitSubaccount/page-unknown/shape",
  `returns the documented body with a 500 when ${PAGE_UNKNOWN}`,
  { must: ["R053", "R110"] },
  async (ctx) => {
    const answer = await toUnknownPage(ctx);
    const different = answer.status === 500 ? mismatch(SimpleError, answer) : undefined;
    expectThat(!different, answer, `${outcomeOf(answer)}, where ${different}`, "the documented error body");
  },
);

const ODD_VALUES = [
  { name: "shere-omitted", field: "shere", value: undefined },
  { name: "sub_account_id-omitted", field: "sub_account_id", value: undefined },
  { name: "shere-fraction", field: "shere", value: 1.5 },
  { name: "shere-zero", field: "shere", value: 0 },
  { name: "shere-negative", field: "shere", value: -5 },
  { name: "shere-above-100", field: "shere", value: 101 },
] as const;

for (const { name, field, value } of ODD_VALUES) {
  const change = { body: { [field]: value } };
  shouldReject(
    `addSplitSubaccount/${name}`,
    ["R051"],
    { change, what: describeChange(change), field },
    { before: needSplitPage },
  );
}

const SUBACCOUNT_UNKNOWN = { what: "no subaccount has this sub_account_id", field: "sub_account_id" };
check(
  "addSplitSubaccount/sub_account_id-unknown",
  rejectionTitle(noun, SUBACCOUNT_UNKNOWN.what),
  { critical: ["R051"], probe: true },
  async (ctx) => {
    ctx.need("SPLIT_PAGE_ID");
    const change = { body: { sub_account_id: ctx.run.builder.fresh() } };
    await expectRejected(ctx, await sendInvalidWithRetry(ctx, ID, change), SUBACCOUNT_UNKNOWN);
  },
);

function needSplitPage(ctx: CheckContext) {
  ctx.need("SPLIT_PAGE_ID");
  ctx.needProbeWrites();
}

/** The answer to a request for a split page that does not exist, sent once per run. */
async function toUnknownPage(ctx: CheckContext) {
  const answer = await ctx.run.once("addSplitSubaccount/page-unknown", () =>
    sendInvalidWithRetry(ctx, ID, { path: { id: UNKNOWN_ID } }),
  );
  ctx.note(answer);
  expectAnswered(answer);
  return answer;
}
