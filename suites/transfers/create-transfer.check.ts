import type { Answer } from "../../fixtures/http/answer.ts";
import { needDirectConnection, sendPartially } from "../../fixtures/http/partial-request.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { acceptedControl } from "../../fixtures/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { expectOptionalFields } from "../../fixtures/judge/optional-fields.ts";
import { isListedAsPaid, needBook } from "../../fixtures/lists/book.ts";
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
    const { answer, accepted, diagnosis } = await controlOf(ctx, ID);
    const refused = accepted ? [] : [...(answer ? [answer] : []), ...(diagnosis?.answers ?? [])];
    await expectNonePaid(
      ctx,
      refused.filter(({ carriedOut }) => carriedOut === "no"),
    );
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
    const book = await needBook(ctx);
    const draft = ctx.draft(ID);
    const answer = await ctx.send(ID, {}, { draft, via: cutAfterJson(ctx) });
    await ctx.run.settling.pause();
    const rows = await book.rows(draft.reference);
    const actual = "paid a transfer although its body ended one byte before its Content-Length";
    expectThat(rows === 0, answer, actual, "no payout for an incomplete request");
  },
);

/**
 * Looks up transfers that the API says it rejected; what it paid all the same counts against the budget. A success
 * without transactionId has the same fields as a rejection, so only the list shows which one it is.
 */
async function expectNonePaid(ctx: CheckContext, refused: readonly Answer[]) {
  const { settling } = ctx.run;
  if (refused.length > 0) await settling.pause();
  const paid: Answer[] = [];
  for (const answer of refused) {
    const reference = requireReferenceSent(answer);
    // A rejected transfer may be recorded, and take a while to reach a status that pays nothing.
    const look = () => isListedAsPaid(ctx, reference);
    if (!(await settling.until(look, (isPaid) => !isPaid))) continue;
    ctx.run.stopPaying(reference, ctx.info.id);
    paid.push(answer);
  }
  const [first] = paid;
  if (!first) return;
  const actual = `${outcomeOf(first)}${first.is2xx ? " without transactionId" : ""}, but lists the transfer as paid`;
  const expected = first.is2xx
    ? "transactionId in the response to an accepted transfer"
    : "no payout for a rejected request";
  expectThat(false, first, actual, expected);
}

/** Adds a space to the body and closes the connection before the space is sent. */
const cutAfterJson =
  ({ target }: CheckContext): NonNullable<SendOptions["via"]> =>
  async (request, sending) => {
    const body = Buffer.concat([request.body ?? Buffer.alloc(0), Buffer.from(" ")]);
    return (await sendPartially(target, contract[ID], { ...request, body }, sending)).cut();
  };
