import type { Answer } from "../../fixtures/http/answer.ts";
import { Violation } from "../../fixtures/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { acceptedControl, expectOptionalPartsAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { isListedLive, settle } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createTransfer/accepted",
  "TITLE",
  { must: contract.createTransfer.requirements.success, pays: 1 },
  async (ctx) => {
    const { answer } = await controlOf(ctx, "createTransfer");
    if (answer && answer.is2xx && answer.isDocumentedError) await judgeUnacknowledged(ctx, answer);
    await acceptedControl(ctx, "createTransfer");
  },
);

/** Without its identifier a success reads, word for word, like a refusal; the list shows which of them it is. */
async function judgeUnacknowledged(ctx: CheckContext, answer: Answer) {
  await settle(ctx);
  if (await isListedLive(ctx, requireReferenceSent(answer))) {
    throw new Violation(
      answer,
      `${outcomeOf(answer)} without transactionId, yet lists the transfer as live`,
      "transactionId in the answer to an accepted transfer",
    );
  }
}

check("createTransfer/optional-fields", "TITLE", { must: ["R084"], pays: 1 }, async (ctx) => {
  const { BANK_NAME: bankName } = ctx.values;
  const transferNote = `payments-conformance ${ctx.run.settings.runId}`;
  const answer = await ctx.send("createTransfer", { body: { bankName, transferNote } });
  await expectOptionalPartsAccepted(ctx, answer);
});
