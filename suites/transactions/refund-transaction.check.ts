import { judgeAnswered } from "../../fixtures/answered.ts";
import { isStatus2xx, isSuccess } from "../../fixtures/classify.ts";
import { acceptedControl, controlOf } from "../../fixtures/control.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { basisOf, handlingOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { attempts, discouragesCritically, refuses } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently, judgeNotCarriedOut } from "../../fixtures/negative.ts";
import { claimRefund, refundDraft } from "../../fixtures/refunds.ts";
import { secondMerchant } from "../../fixtures/second-merchant.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { FRESH } from "../../schemas/operation.ts";
import { halfOf, refundSixTimes } from "./refunding.ts";

const ID = "refundTransaction";

// Checks that take a refundable transaction stand first, in the order in which they take one.

check(
  "refundTransaction/accepted",
  { level: "MUST", requirements: contract.refundTransaction.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, ID),
);

check(
  "refundTransaction/repeated-at-once",
  { level: "SHOULD", critical: true, source: "G21", pays: 1 },
  async (bench) => {
    const { racing } = await refundSixTimes(bench);
    const paid = racing.filter(isSuccess);
    if (paid[0] && paid.length > 1)
      throw violation(
        paid[0],
        `answered ${paid.length} of 5 equal refunds of a whole transaction with 200: possibly a double refund`,
        "one",
      );
  },
);

check(
  "refundTransaction/repeated-afterwards",
  { level: "SHOULD", critical: true, source: "G21" },
  async (bench) => {
    const { racing, later } = await refundSixTimes(bench);
    if (!racing.some(isSuccess))
      throw new Inconclusive("no refund of the transaction succeeded", "refundTransaction/accepted");
    bench.observe("G21", `a second refund of a whole transaction ${handlingOf(later)}`);
    if (isSuccess(later))
      throw violation(later, "answered the repeated refund with 200: possibly a double refund", "a refusal");
  },
);

check(
  "refundTransaction/partial",
  { level: "OBSERVE", source: "N24", pays: 2, probe: true },
  async (bench) => {
    const entry = claimRefund(bench);
    const half = halfOf(entry.amount);
    const first = await bench.send(ID, {}, { draft: refundDraft(bench, { ...entry, amount: half }) });
    judgeAnswered(first);
    bench.observe("N24", `a refund of half the amount ${handlingOf(first)}`);
    if (!isSuccess(first)) return;
    const rest = Math.round((entry.amount - half) * 100) / 100;
    const second = await bench.send(ID, {}, { draft: refundDraft(bench, { ...entry, amount: rest }) });
    judgeAnswered(second);
    bench.observe("N24", `a refund of the other half ${handlingOf(second)}`);
  },
);

check("refundTransaction/auth/refundable", { level: "MUST", requirements: ["R003"] }, async (bench) => {
  const { keyless, notTested } = await controlOf(bench, ID);
  if (!keyless) throw notTested ?? new Error("a refund was tried with its key alone");
  bench.note(keyless);
  judgeNotCarriedOut(keyless, "no Authorization header was sent");
});

for (const { name, amountOf } of [
  { name: "negative", amountOf: () => -1 },
  { name: "zero", amountOf: () => 0 },
  { name: "above-original", amountOf: (original: number) => original * 2 },
]) {
  discouragesCritically(
    `refundTransaction/amount-${name}`,
    { source: "G02" },
    { what: `amount is ${name} for a transaction that can be refunded`, field: "amount" },
    async (bench) => {
      bench.needProbeWrites();
      const entry = await bench.run.shared("refund/odd-amounts", async () => claimRefund(bench));
      return bench.send(ID, {}, { draft: refundDraft(bench, entry, amountOf(entry.amount)) });
    },
  );
}

check(
  "refundTransaction/other-merchant",
  { level: "SHOULD", critical: true, source: "G18" },
  async (bench) => {
    const { authorization, isKnown } = secondMerchant(bench);
    await isKnown();
    const entry = claimRefund(bench);
    const answer = await bench.send(ID, {}, { draft: refundDraft(bench, entry), authorization });
    judgeAnswered(answer);
    if (answer.status !== 404)
      throw violation(answer, `${outcomeOf(answer)} to another merchant's refund of it`, "404");
  },
);

check("refundTransaction/accepted-body-empty", { level: "SHOULD", requirements: ["R047"] }, async (bench) => {
  const answer = await basisOf(bench, ID);
  const members = Object.keys(Object(answer.json));
  if (members.length > 0)
    throw violation(answer, `${outcomeOf(answer)} with ${members.join(", ")}`, "an empty JSON object");
});

refuses(
  "refundTransaction/amount-omitted",
  { requirements: ["R048"] },
  404,
  (bench, answer) => {
    judgeNotCarriedOut(answer, "there is no such transaction");
    bench.observe("N25", `a refund of an unknown transaction without amount ${handlingOf(answer)}`);
  },
  attempts(ID, { body: { transactionRef: FRESH, amount: undefined } }),
);

for (const { name, body } of [
  { name: "transactionRef-omitted", body: { transactionRef: undefined } },
  { name: "body-empty", body: { transactionRef: undefined, amount: undefined } },
]) {
  check(
    `refundTransaction/${name}`,
    { level: "SHOULD", critical: true, requirements: ["R046"] },
    async (bench) => {
      const answer = await attemptPatiently(bench, ID, { body });
      judgeAnswered(answer);
      bench.observe("N40", `a refund that names no transaction ${handlingOf(answer)}`);
      if (isStatus2xx(answer))
        throw violation(answer, `${outcomeOf(answer)} although it names no transaction`, "a refusal");
    },
  );
}

check("refundTransaction/transactionRef-number", { level: "OBSERVE", source: "N40" }, async (bench) => {
  const answer = await attemptPatiently(bench, ID, { body: { transactionRef: 12345 } });
  judgeAnswered(answer);
  bench.observe("N40", `a transactionRef that is a number ${handlingOf(answer)}`);
});

for (const { name, transactionRef } of [
  { name: "quotes", transactionRef: "' OR '1'='1';--" },
  { name: "of-300-characters", transactionRef: "r".repeat(300) },
]) {
  check(`refundTransaction/transactionRef-${name}`, { level: "SHOULD", source: "N43" }, async (bench) => {
    judgeNoBreakdown(
      await attemptPatiently(bench, ID, { body: { transactionRef } }),
      `transactionRef is odd (${name})`,
    );
  });
}
