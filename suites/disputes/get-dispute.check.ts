import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus2xx, isSuccess } from "../../fixtures/classify.ts";
import { acceptedControl } from "../../fixtures/control.ts";
import { membersOf } from "../../fixtures/exchanged.ts";
import { basisOf, handlingOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { discourages, observes } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { refusalDifference, sendPatiently } from "../../fixtures/positive.ts";
import { secondMerchant } from "../../fixtures/second-merchant.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { otherTransactionIn, showsSameRecord } from "./foreign-records.ts";

check(
  "getDispute/accepted",
  { level: "MUST", requirements: contract.getDispute.requirements.success },
  (bench) => acceptedControl(bench, "getDispute"),
);

check(
  "getDispute/transaction-unknown/shape",
  { level: "MUST", requirements: ["R081", "R107"] },
  async (bench) => {
    const { answer } = await unknown(bench);
    const different = answer.status === 400 ? refusalDifference(answer) : undefined;
    bench.observe("G14", `the dispute of an unknown transaction ${handlingOf(answer)}`);
    if (different)
      throw violation(answer, `${outcomeOf(answer)} where ${different}`, "the documented error body");
  },
);

check("getDispute/transaction-unknown/status", { level: "SHOULD", source: "G14" }, async (bench) => {
  const { answer } = await unknown(bench);
  judgeNoBreakdown(answer, "the transaction is unknown");
});

check(
  "getDispute/transaction-unknown/no-other-record",
  { level: "SHOULD", critical: true, source: "G14" },
  async (bench) => {
    const { answer, transactionRef } = await unknown(bench);
    const other = isStatus2xx(answer) && otherTransactionIn(answer.json, transactionRef);
    if (other) throw violation(answer, "answered with the record of another transaction", "no record");
  },
);

check("getDispute/other-merchant", { level: "SHOULD", critical: true, source: "G18" }, async (bench) => {
  const { authorization, isKnown } = secondMerchant(bench);
  const own = await basisOf(bench, "getDispute");
  await isKnown();
  const answer = await sendPatiently(bench, "getDispute", {}, { authorization });
  judgeAnswered(answer);
  if (isSuccess(answer) && showsSameRecord(own, answer, bench.need("DISPUTE_TRANSACTION_REF")))
    throw violation(answer, "shows the dispute of another merchant", "no record");
});

check("getDispute/record", { level: "OBSERVE", source: "N03" }, async (bench) => {
  const answer = await basisOf(bench, "getDispute");
  bench.observe("N03", `data of a dispute is ${membersOf(answer.field("data"))}`);
});

discourages(
  "getDispute/transactionRef-empty",
  { requirements: ["R080"] },
  { change: { query: { transactionRef: "" } }, what: "transactionRef is empty", field: "transactionRef" },
);

observes("getDispute/transactionRef-repeated", "G08", "a repeated transactionRef", (bench) => ({
  query: { transactionRef: [bench.need("DISPUTE_TRANSACTION_REF"), bench.need("DISPUTE_TRANSACTION_REF")] },
}));

/** Asks for the dispute of a transaction that cannot exist, once per run. */
async function unknown(bench: Bench) {
  const asked = await bench.run.shared("getDispute/transaction-unknown", async () => {
    const transactionRef = bench.run.builder.fresh();
    return {
      transactionRef,
      answer: await attemptPatiently(bench, "getDispute", { query: { transactionRef } }),
    };
  });
  bench.note(asked.answer);
  judgeAnswered(asked.answer);
  return asked;
}
