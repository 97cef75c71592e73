import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { mustReject, sendsInvalid, shouldRejectCritically } from "../../fixtures/judge/check-families.ts";
import { expectAnswered, expectNoCrash, expectNotAccepted } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { controlOf, requireControl } from "../../fixtures/run/control.ts";
import { secondMerchant } from "../../fixtures/run/second-merchant.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { claimRefund, refundDraft } from "../../fixtures/run/single-use.ts";
import { FRESH } from "../../schemas/recipe.ts";
import { halfOf, refundSixTimes } from "./refunding.ts";

const ID = "refundTransaction";

// Checks that take a refundable transaction stand first, in the order in which they take one.

check("refundTransaction/repeated-at-once", "TITLE", { critical: "G21", pays: 1 }, async (ctx) => {
  const { racing } = await refundSixTimes(ctx);
  const paid = racing.filter(({ isSuccess }) => isSuccess);
  if (paid[0] && paid.length > 1)
    throw new Violation(
      paid[0],
      `answered ${paid.length} of 5 equal refunds of a whole transaction with 200: possibly a double refund`,
      "one",
    );
});

check("refundTransaction/repeated-afterwards", "TITLE", { critical: "G21" }, async (ctx) => {
  const { racing, later } = await refundSixTimes(ctx);
  if (!racing.some(({ isSuccess }) => isSuccess))
    throw new Inconclusive("no refund of the transaction succeeded", "refundTransaction/accepted");
  ctx.observe("G21", `a second refund of a whole transaction ${handlingOf(later)}`);
  if (later.isSuccess)
    throw new Violation(
      later,
      "answered the repeated refund with 200: possibly a double refund",
      "a refusal",
    );
});

check("refundTransaction/partial", "TITLE", { observe: "N24", pays: 2, probe: true }, async (ctx) => {
  const entry = claimRefund(ctx);
  const half = halfOf(entry.amount);
  const first = await ctx.send(ID, {}, { draft: refundDraft(ctx, { ...entry, amount: half }) });
  expectAnswered(first);
  ctx.observe("N24", `a refund of half the amount ${handlingOf(first)}`);
  if (!first.isSuccess) return;
  const rest = Math.round((entry.amount - half) * 100) / 100;
  const second = await ctx.send(ID, {}, { draft: refundDraft(ctx, { ...entry, amount: rest }) });
  expectAnswered(second);
  ctx.observe("N24", `a refund of the other half ${handlingOf(second)}`);
});

check("refundTransaction/auth/refundable", "TITLE", { must: ["R003"] }, async (ctx) => {
  const { keyless, notTested } = await controlOf(ctx, ID);
  if (!keyless) throw notTested ?? new Error("a refund was tried with its key alone");
  ctx.note(keyless);
  expectNotAccepted(keyless, "no Authorization header was sent");
});

for (const { name, amountOf } of [
  { name: "negative", amountOf: () => -1 },
  { name: "zero", amountOf: () => 0 },
  { name: "above-original", amountOf: (original: number) => original * 2 },
]) {
  shouldRejectCritically(
    `refundTransaction/amount-${name}`,
    "G02",
    { what: `amount is ${name} for a transaction that can be refunded`, field: "amount" },
    async (ctx) => {
      ctx.needProbeWrites();
      const entry = await ctx.run.once("refund/odd-amounts", async () => claimRefund(ctx));
      return ctx.send(ID, {}, { draft: refundDraft(ctx, entry, amountOf(entry.amount)) });
    },
  );
}

check("refundTransaction/other-merchant", "TITLE", { critical: "G18" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  await needAccepted();
  const entry = claimRefund(ctx);
  const answer = await ctx.send(ID, {}, { draft: refundDraft(ctx, entry), authorization });
  expectAnswered(answer);
  if (answer.status !== 404)
    throw new Violation(answer, `${outcomeOf(answer)} to another merchant's refund of it`, "404");
});

check("refundTransaction/accepted-body-empty", "TITLE", { should: ["R047"] }, async (ctx) => {
  const answer = await requireControl(ctx, ID);
  const members = Object.keys(Object(answer.json));
  if (members.length > 0)
    throw new Violation(answer, `${outcomeOf(answer)} with ${members.join(", ")}`, "an empty JSON object");
});

mustReject("refundTransaction/amount-omitted", ["R048"], {
  what: "no transaction has this transactionRef, and amount is missing",
  status: 404,
  send: sendsInvalid(ID, { body: { transactionRef: FRESH, amount: undefined } }),
  judge: (ctx, answer) => {
    expectNotAccepted(answer, "no transaction has this transactionRef");
    ctx.observe("N25", `a refund of an unknown transaction without amount ${handlingOf(answer)}`);
  },
});

for (const { name, body } of [
  { name: "transactionRef-omitted", body: { transactionRef: undefined } },
  { name: "body-empty", body: { transactionRef: undefined, amount: undefined } },
]) {
  check(`refundTransaction/${name}`, "TITLE", { critical: ["R046"] }, async (ctx) => {
    const answer = await sendInvalidWithRetry(ctx, ID, { body });
    expectAnswered(answer);
    ctx.observe("N40", `a refund that names no transaction ${handlingOf(answer)}`);
    if (answer.is2xx)
      throw new Violation(answer, `${outcomeOf(answer)} although it names no transaction`, "a refusal");
  });
}

check("refundTransaction/transactionRef-number", "TITLE", { observe: "N40" }, async (ctx) => {
  const answer = await sendInvalidWithRetry(ctx, ID, { body: { transactionRef: 12345 } });
  expectAnswered(answer);
  ctx.observe("N40", `a transactionRef that is a number ${handlingOf(answer)}`);
});

for (const { name, transactionRef } of [
  { name: "quotes", transactionRef: "' OR '1'='1';--" },
  { name: "of-300-characters", transactionRef: "r".repeat(300) },
]) {
  check(`refundTransaction/transactionRef-${name}`, "TITLE", { should: "N43" }, async (ctx) => {
    expectNoCrash(
      await sendInvalidWithRetry(ctx, ID, { body: { transactionRef } }),
      `transactionRef is odd (${name})`,
    );
  });
}
