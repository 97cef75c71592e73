import {
  type ApiResponse,
  checksUnder,
  demand,
  demandNotDone,
  demandRejected,
  type SendOptions,
  skip,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { responseToDefect, returnsBodyIf } from "../every-operation/requests.ts";

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
  await demandRejected(ctx, await ctx.sendInvalid(ID, change), SUBACCOUNT_UNKNOWN);
});

/** More than half of a page: an API that adds up the shares of one subaccount takes it once at most. */
const LARGE = 51;
const SMALL = 10;

/** Counted in full, they leave less than {@link LARGE} of a page; the small ones still fit where the large ones do not. */
const REJECTED_SHARES = [30, 15, 5];

// Where the shares of a page are limited, those of unknown subaccounts must not use up what is left of it.
const SHARE_AGAIN = "accepts a share again after it rejected those of unknown subaccounts";
check("share-after-rejections", SHARE_AGAIN, { should: "practice", probe: true }, async (ctx) => {
  const { shere } = (await ctx.ordinary(ID)).bodySent;
  const [small, large] = [Math.min(SMALL, Number(shere)), Math.max(LARGE, Number(shere))];
  const send = (share: unknown, options: SendOptions = {}) =>
    ctx.send(ID, { body: { shere: share } }, { retry: false, alone: true, ...options });
  const earlier: ApiResponse[] = [];
  // Other checks change the page too.
  const last = await ctx.run.client.alone(async () => {
    const first = await send(large);
    if (first.kind !== "done") skip(`a share of ${large} ${first.fate}`);
    try {
      for (const share of [small, large, small]) {
        const response = await send(share);
        if (response.kind !== "done") skip(`a second share of a subaccount ${response.fate}`);
        earlier.push(response);
      }
      for (const share of REJECTED_SHARES) {
        const body = { shere: share, sub_account_id: ctx.run.builder.fresh() };
        const response = await ctx.sendInvalid(ID, { body }, { retry: false, alone: true });
        if (response.kind !== "rejected")
          undecided(`an unknown subaccount ${response.fate}`, `${ID}/sub_account_id-unknown`);
        earlier.push(response);
      }
      return await send(large);
    } finally {
      await send(shere, { mayBeBusy: true });
    }
  });
  if (last.kind === "done") return;
  // A service may take back later what it did before it found the mistake.
  await ctx.run.settling.all();
  const again = await ctx.send(ID, { body: { shere: large } }, { retry: false });
  if (again.kind === "done") await ctx.send(ID, { body: { shere } }, { retry: false });
  const actual = `${again.outcome} for the share ${large} of a subaccount, which it accepted before it rejected ${REJECTED_SHARES.length} shares of unknown subaccounts`;
  demand(again.kind === "done", again, actual, "201: a rejected request changes nothing", earlier);
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
