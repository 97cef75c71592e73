import { isObject } from "../../fixtures/engine/http/body.ts";
import { expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { checksIn } from "../../fixtures/engine/run/check.ts";
import { requireControl, secondMerchant } from "../../fixtures/engine/run/control.ts";
import { showsSameRecord } from "./same-dispute.ts";

const check = checksIn("repeats");

const ID = "getDispute";

// What a request leaves behind, such as the rights of a database connection, may serve a later one of another merchant.
const IN_TURN = "shows a dispute to its merchant only, also when another merchant asks in turn";
check("getDispute/merchants-in-turn", IN_TURN, { critical: "G18", scope: "second-merchant" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  const control = await requireControl(ctx, ID);
  const asked = ctx.need("DISPUTE_TRANSACTION_REF");
  await needAccepted();
  const ask = async (isOwn: boolean) => {
    const response = await ctx.send(ID, {}, { retry: false, ...(!isOwn && { authorization }) });
    const isRejected = response.handling === "rejected";
    const isLost = isRejected || (response.isSuccess && !isObject(response.field("data")));
    const lost = `${response.outcome} without the dispute`;
    if (isOwn) expectThat(!isLost, response, lost, "the dispute, as before", [control]);
    const isForeign = !isOwn && response.isSuccess && showsSameRecord(control, response, asked);
    expectThat(!isForeign, response, "returned the dispute of another merchant", "no record", [control]);
  };
  for (const isOwn of [true, true, false]) await ask(isOwn);
  await Promise.all([false, true].map(ask));
});

const REUSED = "shows no dispute to another merchant that opens a virtual account with its reference";
const OPENS_ACCOUNT = { critical: "G18", pays: [0, 1], probe: true, scope: "second-merchant" } as const;
check("initializeVirtualAccount/other-merchant-same-reference", REUSED, OPENS_ACCOUNT, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  const control = await requireControl(ctx, ID);
  await requireControl(ctx, "initializeVirtualAccount");
  const asked = ctx.need("DISPUTE_TRANSACTION_REF");
  await needAccepted();
  const opened = await ctx.send(
    "initializeVirtualAccount",
    { body: { reference: asked } },
    { authorization },
  );
  // An earlier run may have opened the account, so the dispute is asked for even if the API rejects another one.
  ctx.observe("G18", `a virtual account with the reference of another merchant's transaction ${opened.fate}`);
  const response = await ctx.send(ID, {}, { authorization });
  const isForeign = response.isSuccess && showsSameRecord(control, response, asked);
  const actual = "returned the dispute of another merchant";
  expectThat(!isForeign, response, actual, "no record", [control, opened]);
});
