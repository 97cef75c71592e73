import type { Answer } from "../../fixtures/http/answer.ts";
import { needDirectConnection, sendPartially } from "../../fixtures/http/partial-request.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { acceptedControl } from "../../fixtures/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { expectOptionalFields } from "../../fixtures/judge/optional-fields.ts";
import { countAll, isListedAsPaid, needCountable, settle } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { contract } from "../../schemas/contract.ts";

const ID = "createTransfer";
const { noun, requirements } = contract[ID];

check(
  "createTransfer/accepted",
  `accepts ${noun} and returns the documented success`,
  { must: requirements.success, pays: 1 },
  async (ctx) => {
    const { answer } = await controlOf(ctx, ID);
    if (answer?.is2xx && answer.isDocumentedError) await expectNotPaid(ctx, answer);
    await acceptedControl(ctx, ID);
  },
);

check(
  "createTransfer/optional-fields",
  `accepts ${noun} with bankName and transferNote`,
  { must: ["R084"], pays: 1 },
  (ctx) => expectOptionalFields(ctx, ID),
);

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
    const rows = await countAll(ctx, draft.reference, how);
    const actual = "paid a transfer although its body ended one byte before its Content-Length";
    expectThat(rows === 0, answer, actual, "no payout for an incomplete request");
  },
);

/** A success without transactionId has the same fields as a rejection, so only the list shows which one it is. */
async function expectNotPaid(ctx: CheckContext, answer: Answer) {
  await settle(ctx);
  const isPaid = await isListedAsPaid(ctx, requireReferenceSent(answer));
  const actual = `${outcomeOf(answer)} without transactionId, but lists the transfer as paid`;
  expectThat(!isPaid, answer, actual, "transactionId in the response to an accepted transfer");
}

/** Adds a space to the body and closes the connection before the space is sent. */
const cutAfterJson =
  ({ target }: CheckContext): NonNullable<SendOptions["via"]> =>
  async (request, sending) => {
    const body = Buffer.concat([request.body ?? Buffer.alloc(0), Buffer.from(" ")]);
    return (await sendPartially(target, contract[ID], { ...request, body }, sending)).cut();
  };
