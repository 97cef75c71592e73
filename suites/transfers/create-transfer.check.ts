import type { Answer } from "../../fixtures/http/answer.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { acceptedControl, expectOptionalPartsAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { isListedLive, settle } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
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
  async (ctx) => {
    const { BANK_NAME: bankName } = ctx.values;
    const transferNote = `payments-conformance ${ctx.run.settings.runId}`;
    const answer = await ctx.send(ID, { body: { bankName, transferNote } });
    await expectOptionalPartsAccepted(ctx, answer);
  },
);

/** A success without transactionId has the same fields as a rejection, so only the list shows which one it is. */
async function expectNotPaid(ctx: CheckContext, answer: Answer) {
  await settle(ctx);
  expectThat(
    !(await isListedLive(ctx, requireReferenceSent(answer))),
    answer,
    `${outcomeOf(answer)} without transactionId, but lists the transfer as live`,
    "transactionId in the response to an accepted transfer",
  );
}
