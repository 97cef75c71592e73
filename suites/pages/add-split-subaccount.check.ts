import { expectRejected } from "../../fixtures/engine/judge/expect-rejected.ts";
import { expectNotAccepted, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { checksUnder } from "../../fixtures/engine/run/check.ts";
import { requireControl } from "../../fixtures/engine/run/control.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";

import { responseToDefect, returnsBodyIf } from "../every-operation/statuses-and-bodies/requests.ts";

const ID = "addSplitSubaccount";
const check = checksUnder(ID);
const { noun } = contract[ID];

const SHARE_AS_SENT = "returns the share and the subaccount as they were sent";
check("share-as-sent", SHARE_AS_SENT, { should: ["R052"] }, async (ctx) => {
  const response = await requireControl(ctx, ID);
  const { shere, sub_account_id } = response.bodySent;
  const sent = inWords(shere, sub_account_id);
  const returned = inWords(response.field("share"), response.field("subaccount"));
  expectThat(returned === sent, response, `returned ${returned}`, `${sent}, as sent`);
});

const PAGE_UNKNOWN = { what: "no split page has this id", change: { path: { id: UNKNOWN_ID } } };
check("page-unknown/refused", rejectionTitle(noun, PAGE_UNKNOWN.what), { critical: ["R053"] }, async (ctx) =>
  expectNotAccepted(await responseToDefect(ctx, ID, PAGE_UNKNOWN), PAGE_UNKNOWN.what),
);
returnsBodyIf(`${ID}/page-unknown/shape`, ["R053", "R110"], { ...PAGE_UNKNOWN, status: 500 });

rejectsOtherMerchant(ID, {
  what: "page and subaccount are another merchant's",
  requirement: "R053",
});

const SUBACCOUNT_UNKNOWN = { what: "no subaccount has this sub_account_id", field: "sub_account_id" };
const NO_SUBACCOUNT = rejectionTitle(noun, SUBACCOUNT_UNKNOWN.what);
check("sub_account_id-unknown", NO_SUBACCOUNT, { critical: ["R051"], probe: true }, async (ctx) => {
  ctx.need("SPLIT_PAGE_ID");
  const change = { body: { sub_account_id: ctx.run.builder.fresh() } };
  await expectRejected(ctx, await ctx.sendInvalid(ID, change), SUBACCOUNT_UNKNOWN);
});

const inWords = (share: unknown, subaccount: unknown) =>
  `share ${JSON.stringify(share)} and subaccount ${JSON.stringify(subaccount)}`;
