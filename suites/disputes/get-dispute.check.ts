import { Violation } from "../../fixtures/http/findings.ts";
import { rejectionMismatch } from "../../fixtures/http/mismatch.ts";
import { handlingOf, membersOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { observes, shouldReject } from "../../fixtures/judge/check-families.ts";
import { expectAnswered, expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { secondMerchant } from "../../fixtures/run/second-merchant.ts";
import { sendInvalidWithRetry, sendWithRetry } from "../../fixtures/run/sending.ts";
import { otherTransactionIn, showsSameRecord } from "./foreign-records.ts";

check("getDispute/transaction-unknown/shape", "TITLE", { must: ["R081", "R107"] }, async (ctx) => {
  const { answer } = await unknown(ctx);
  const different = answer.status === 400 ? rejectionMismatch(answer) : undefined;
  ctx.observe("G14", `the dispute of an unknown transaction ${handlingOf(answer)}`);
  if (different)
    throw new Violation(answer, `${outcomeOf(answer)} where ${different}`, "the documented error body");
});

check("getDispute/transaction-unknown/status", "TITLE", { should: "G14" }, async (ctx) => {
  const { answer } = await unknown(ctx);
  expectNoCrash(answer, "the transaction is unknown");
});

check("getDispute/transaction-unknown/no-other-record", "TITLE", { critical: "G14" }, async (ctx) => {
  const { answer, transactionRef } = await unknown(ctx);
  const other = answer.is2xx && otherTransactionIn(answer.json, transactionRef);
  if (other) throw new Violation(answer, "answered with the record of another transaction", "no record");
});

check("getDispute/other-merchant", "TITLE", { critical: "G18" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  const own = await requireControl(ctx, "getDispute");
  await needAccepted();
  const answer = await sendWithRetry(ctx, "getDispute", {}, { authorization });
  expectAnswered(answer);
  if (answer.isSuccess && showsSameRecord(own, answer, ctx.need("DISPUTE_TRANSACTION_REF")))
    throw new Violation(answer, "shows the dispute of another merchant", "no record");
});

check("getDispute/record", "TITLE", { observe: "N03" }, async (ctx) => {
  const answer = await requireControl(ctx, "getDispute");
  ctx.observe("N03", `data of a dispute is ${membersOf(answer.field("data"))}`);
});

shouldReject("getDispute/transactionRef-empty", ["R080"], {
  change: { query: { transactionRef: "" } },
  what: "transactionRef is empty",
  field: "transactionRef",
});

observes("getDispute/transactionRef-repeated", "G08", "a repeated transactionRef", (ctx) => ({
  query: { transactionRef: [ctx.need("DISPUTE_TRANSACTION_REF"), ctx.need("DISPUTE_TRANSACTION_REF")] },
}));

/** Asks for the dispute of a transaction that cannot exist, once per run. */
async function unknown(ctx: CheckContext) {
  const asked = await ctx.run.once("getDispute/transaction-unknown", async () => {
    const transactionRef = ctx.run.builder.fresh();
    return {
      transactionRef,
      answer: await sendInvalidWithRetry(ctx, "getDispute", { query: { transactionRef } }),
    };
  });
  ctx.note(asked.answer);
  expectAnswered(asked.answer);
  return asked;
}
