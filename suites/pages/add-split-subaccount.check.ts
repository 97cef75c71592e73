import { checksUnder, demand, demandNotDone, demandRejected } from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { rejectionTitle } from "../../schemas/operation.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { responseToDefect } from "../every-operation/requests.ts";

const ID = "addSplitSubaccount";
const check = checksUnder(ID);
const { noun } = contract[ID];

const SHARE_AS_SENT = "returns the share and the subaccount as they were sent";
check("share-as-sent", SHARE_AS_SENT, { should: ["R052"] }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  const { shere, sub_account_id } = response.bodySent;
  const sent = inWords(shere, sub_account_id);
  const returned = inWords(response.field("share"), response.field("subaccount"));
  demand(returned === sent, response, `returned ${returned}`, `${sent}, as sent`);
});

const PAGE_UNKNOWN = { what: "no split page has this id", change: { path: { id: UNKNOWN_ID } } };
check("page-unknown/refused", rejectionTitle(noun, PAGE_UNKNOWN.what), { critical: ["R053"] }, async (ctx) =>
  demandNotDone(await responseToDefect(ctx, ID, PAGE_UNKNOWN), PAGE_UNKNOWN.what),
);

rejectsOtherMerchant(ID, {
  what: "page and subaccount are another merchant's",
  requirement: "R053",
});

const SUBACCOUNT_UNKNOWN = { what: "no subaccount has this sub_account_id", field: "sub_account_id" };
const NO_SUBACCOUNT = rejectionTitle(noun, SUBACCOUNT_UNKNOWN.what);
check("sub_account_id-unknown", NO_SUBACCOUNT, { critical: ["R051"], probe: true }, async (ctx) => {
  ctx.need("SPLIT_PAGE_ID");
  const change = { body: { sub_account_id: ctx.run.builder.fresh() } };
  await demandRejected(ctx, await ctx.sendInvalid(ID, change), SUBACCOUNT_UNKNOWN);
});

const inWords = (share: unknown, subaccount: unknown) =>
  `share ${JSON.stringify(share)} and subaccount ${JSON.stringify(subaccount)}`;

oddValues(ID, {
  rejected: [
    ["shere-omitted", ["R051"], { shere: undefined }],
    ["sub_account_id-omitted", ["R051"], { sub_account_id: undefined }],
    ["shere-fraction", ["R051"], { shere: 1.5 }],
    ["shere-zero", ["R051"], { shere: 0 }],
    ["shere-negative", ["R051"], { shere: -5 }],
    ["shere-above-100", ["R051"], { shere: 101 }],
  ],
});
