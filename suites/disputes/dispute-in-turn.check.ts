import { checksIn, demand, isObject } from "../../fixtures/engine/vocabulary.ts";
import { showsSameRecord } from "./same-dispute.ts";

const check = checksIn("repeats");

const ID = "getDispute";

// What a request leaves behind, such as the rights of a database connection, may serve a later one of another merchant.
const IN_TURN = "shows a dispute to its merchant only, also when another merchant asks in turn";
check("getDispute/merchants-in-turn", IN_TURN, { critical: "G18", scope: "second-merchant" }, async (ctx) => {
  const { other } = ctx;
  const control = await ctx.ordinary(ID);
  const asked = ctx.need("DISPUTE_TRANSACTION_REF");
  await other.profile();
  const ask = async (isOwn: boolean) => {
    const response = await (isOwn ? ctx : other).send(ID, {}, { retry: false });
    const isRejected = response.handling === "rejected";
    const isLost = isRejected || (response.isSuccess && !isObject(response.field("data")));
    const lost = `${response.outcome} without the dispute`;
    if (isOwn) demand(!isLost, response, lost, "the dispute, as before", [control]);
    const isForeign = !isOwn && response.isSuccess && showsSameRecord(control, response, asked);
    demand(!isForeign, response, "returned the dispute of another merchant", "no record", [control]);
  };
  for (const isOwn of [true, true, false]) await ask(isOwn);
  await Promise.all([false, true].map(ask));
});

const REUSED = "shows no dispute to another merchant that opens a virtual account with its reference";
const OPENS_ACCOUNT = { critical: "G18", pays: [0, 1], probe: true, scope: "second-merchant" } as const;
check("initializeVirtualAccount/other-merchant-same-reference", REUSED, OPENS_ACCOUNT, async (ctx) => {
  const { other } = ctx;
  const control = await ctx.ordinary(ID);
  await ctx.ordinary("initializeVirtualAccount");
  const asked = ctx.need("DISPUTE_TRANSACTION_REF");
  await other.profile();
  const opened = await other.send("initializeVirtualAccount", { body: { reference: asked } });
  // An earlier run may have opened the account, so the dispute is asked for even if the API rejects another one.
  ctx.observe("G18", `a virtual account with the reference of another merchant's transaction ${opened.fate}`);
  const response = await other.send(ID);
  const isForeign = response.isSuccess && showsSameRecord(control, response, asked);
  const actual = "returned the dispute of another merchant";
  demand(!isForeign, response, actual, "no record", [control, opened]);
});
