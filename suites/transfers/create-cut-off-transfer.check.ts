import { needDirectConnection, sendPartially } from "../../fixtures/http/partial-request.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countAll, needCountable, settle } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";

const ID = "createTransfer";

// RFC 9112, section 8: a body shorter than its Content-Length is incomplete, even if what arrived is complete JSON.
check(
  "createTransfer/cut-off-after-json",
  "does not pay a transfer whose body is shorter than its Content-Length",
  { should: "RFC 9112", pays: 1, probe: true },
  async (ctx) => {
    needDirectConnection(ctx.target);
    const how = await needCountable(ctx);
    const draft = ctx.draft(ID);
    const answer = await ctx.send(ID, {}, { draft, via: cutAfterJson(ctx) });
    await settle(ctx);
    expectThat(
      (await countAll(ctx, draft.reference, how)) === 0,
      answer,
      "paid a transfer although its body ended one byte before its Content-Length",
      "no payout for an incomplete request",
    );
  },
);

/** Adds a space to the body and closes the connection before the space is sent. */
const cutAfterJson =
  ({ target }: CheckContext): NonNullable<SendOptions["via"]> =>
  async (request, sending) => {
    const body = Buffer.concat([request.body ?? Buffer.alloc(0), Buffer.from(" ")]);
    return (await sendPartially(target, contract[ID], { ...request, body }, sending)).cut();
  };
