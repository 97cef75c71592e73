import { handlingOf, membersOf } from "../../fixtures/engine/http/wording.ts";
import { observes, shouldReject } from "../../fixtures/engine/judge/check-families.ts";
import {
  expectAnswered,
  expectNoCrash,
  expectRejectionAsDocumented,
  expectThat,
} from "../../fixtures/engine/judge/matchers.ts";
import { check } from "../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { controlOf, requireControl, secondMerchant } from "../../fixtures/engine/run/control.ts";
import { otherTransactionIn, showsSameRecord } from "./foreign-records.ts";

const ID = "getDispute";

check(
  "getDispute/transaction-unknown/shape",
  "returns the documented error body with a 400 for an unknown transaction",
  { must: ["R081", "R107"] },
  async (ctx) => {
    const { answer } = await askForUnknown(ctx);
    ctx.observe("G14", `the dispute of an unknown transaction ${handlingOf(answer)}`);
    if (answer.status === 400) expectRejectionAsDocumented(answer);
  },
);

check(
  "getDispute/transaction-unknown/status",
  "does not crash when the transaction is unknown",
  { should: "G14" },
  async (ctx) => {
    const { answer } = await askForUnknown(ctx);
    expectNoCrash(answer, "only the transaction is unknown");
  },
);

check(
  "getDispute/transaction-unknown/no-other-record",
  "shows no dispute of another transaction",
  { critical: "G14" },
  async (ctx) => {
    const { answer, transactionRef } = await askForUnknown(ctx);
    const other = answer.is2xx ? otherTransactionIn(answer.json, transactionRef) : undefined;
    expectThat(other === undefined, answer, "returned the record of another transaction", "no record");
  },
);

check("getDispute/other-merchant", "shows no other merchant's dispute", { critical: "G18" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  const own = await requireControl(ctx, ID);
  await needAccepted();
  const answer = await ctx.send(ID, {}, { authorization });
  expectAnswered(answer);
  const asked = ctx.need("DISPUTE_TRANSACTION_REF");
  const isForeign = answer.isSuccess && showsSameRecord(own, answer, asked);
  expectThat(!isForeign, answer, "shows the dispute of another merchant", "no record", [own]);
});

check("getDispute/record", "returns a dispute with fields of its choice", { observe: "N03" }, async (ctx) => {
  const answer = await requireControl(ctx, ID);
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

/** Asks right after a known transaction, which a cache might return instead. */
async function askForUnknown(ctx: CheckContext) {
  await controlOf(ctx, ID);
  const asked = await ctx.run.once("getDispute/transaction-unknown", async () => {
    const transactionRef = ctx.run.builder.fresh();
    const answer = await ctx.sendInvalid(ID, { query: { transactionRef } });
    return { transactionRef, answer };
  });
  ctx.note(asked.answer);
  expectAnswered(asked.answer);
  return asked;
}
