import { Inconclusive } from "../../fixtures/engine/http/findings.ts";
import { mustReject, shouldRejectCritically } from "../../fixtures/engine/judge/check-families.ts";
import {
  expectAnswered,
  expectNoCrash,
  expectNotAccepted,
  expectThat,
} from "../../fixtures/engine/judge/matchers.ts";
import { checksUnder } from "../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { claimRefund, controlOf, refundDraft, requireControl } from "../../fixtures/engine/run/control.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { FRESH } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";

const ID = "refundTransaction";
const check = checksUnder(ID);

/** Enough simultaneous requests to show a lock that is taken too late. */
const RACERS = 5;

// The checks that use up a refundable transaction come first: they take entries in the order of registration.

const REPEATED_AT_ONCE = "accepts one of several equal refunds that arrive at once";
check("repeated-at-once", REPEATED_AT_ONCE, { critical: "G21", pays: [0, 1] }, async (ctx) => {
  const { racing } = await refundSixTimes(ctx);
  const [first, ...more] = racing.filter(({ isSuccess }) => isSuccess);
  if (!first) return;
  const paid = `${more.length + 1} of ${racing.length} equal refunds of a whole transaction`;
  expectThat(more.length === 0, first, `returned 200 for ${paid}: possibly a double refund`, "one refund");
});

const REPEATED_AFTERWARDS = "refuses a second refund of a whole transaction";
check("repeated-afterwards", REPEATED_AFTERWARDS, { critical: "G21" }, async (ctx) => {
  const { racing, later } = await refundSixTimes(ctx);
  if (!racing.some(({ isSuccess }) => isSuccess))
    throw new Inconclusive("no refund of the transaction was accepted", `${ID}/accepted`);
  ctx.observe("G21", `a second refund of a whole transaction ${later.fate}`);
  const actual = "returned 200 for a second refund of a whole transaction: possibly a double refund";
  expectThat(!later.isSuccess, later, actual, "a rejection");
});

const PARTIAL = "handling of a refund of half the amount, and then of the other half";
check("partial", PARTIAL, { observe: "N24", pays: 2, probe: true }, async (ctx) => {
  const entry = claimRefund(ctx);
  const refund = async (amount: number, what: string) => {
    const response = await ctx.send(ID, {}, { draft: refundDraft(ctx, { ...entry, amount }) });
    expectAnswered(response);
    ctx.observe("N24", `a refund of ${what} ${response.fate}`);
    return response.isSuccess;
  };
  const half = Math.floor(entry.amount / 2) || entry.amount / 2;
  const rest = Math.round((entry.amount - half) * 100) / 100;
  if (await refund(half, "half the amount")) await refund(rest, "the other half");
});

const REFUNDABLE = "refuses a refund of a refundable transaction without an Authorization header";
check("auth/refundable", REFUNDABLE, { must: ["R003"] }, async (ctx) => {
  const { keyless, notTested } = await controlOf(ctx, ID);
  if (!keyless) throw notTested ?? new Error("the control was not sent without a key first");
  ctx.note(keyless);
  expectNotAccepted(keyless, "there is no Authorization header");
});

for (const [name, what, amountOf] of [
  ["negative", "amount is -1 for a refundable transaction", () => -1],
  ["zero", "amount is 0 for a refundable transaction", () => 0],
  ["above-original", "amount is twice that of a refundable transaction", (original: number) => original * 2],
] as const) {
  const send = async (ctx: CheckContext) => {
    const entry = await ctx.run.once("refund/odd-amounts", async () => claimRefund(ctx));
    return ctx.send(ID, {}, { draft: refundDraft(ctx, entry, amountOf(entry.amount)) });
  };
  shouldRejectCritically(`refundTransaction/amount-${name}`, "G02", { what, field: "amount", send });
}

rejectsOtherMerchant(ID, {
  what: "the transaction is another merchant's",
  requirement: "R048",
  status: 404,
  send: (ctx, authorization) =>
    ctx.send(ID, {}, { draft: refundDraft(ctx, claimRefund(ctx)), authorization }),
});

const ACCEPTED_BODY_EMPTY = "returns an empty JSON object for a refund";
check("accepted-body-empty", ACCEPTED_BODY_EMPTY, { should: ["R047"] }, async (ctx) => {
  const response = await requireControl(ctx, ID);
  const members = Object.keys(Object(response.json));
  const actual = `${response.outcome} with ${members.join(", ")}`;
  expectThat(members.length === 0, response, actual, "an empty JSON object");
});

/** Sends one refund five times at once, and a sixth time after all five have their responses; does so once per run. */
async function refundSixTimes(ctx: CheckContext) {
  const repeated = await ctx.run.once("refund/six-times", async () => {
    const draft = refundDraft(ctx, claimRefund(ctx));
    const send = () => ctx.send("refundTransaction", {}, { draft });
    const sent = Array.from({ length: RACERS }, send);
    await Promise.allSettled(sent);
    return { racing: await Promise.all(sent), later: await send() };
  });
  for (const response of [...repeated.racing, repeated.later]) ctx.note(response);
  return repeated;
}

// Refunds that name no transaction of the operator's, so they use none up.

const NO_AMOUNT = {
  change: { body: { transactionRef: FRESH, amount: undefined } },
  what: "amount is missing and no transaction has this transactionRef",
  status: 404,
};
mustReject("refundTransaction/amount-omitted", ["R048"], NO_AMOUNT, async (ctx, response) => {
  expectNotAccepted(response, NO_AMOUNT.what);
  ctx.observe("N25", `a refund of an unknown transaction without amount ${response.fate}`);
});

for (const [name, what, body] of [
  ["transactionRef-omitted", "transactionRef is missing", { transactionRef: undefined }],
  ["body-empty", "the body is an empty object", { transactionRef: undefined, amount: undefined }],
] as const) {
  check(`${name}`, rejectionTitle(contract[ID].noun, what), { critical: ["R046"] }, async (ctx) => {
    const response = await ctx.sendInvalid(ID, { body });
    expectAnswered(response);
    ctx.observe("N40", `a refund that names no transaction ${response.fate}`);
    expectNotAccepted(response, what);
  });
}

const TRANSACTION_REF_NUMBER = "handling of a transactionRef that is a number";
check("transactionRef-number", TRANSACTION_REF_NUMBER, { observe: "N40" }, async (ctx) => {
  const response = await ctx.sendInvalid(ID, { body: { transactionRef: 12345 } });
  expectAnswered(response);
  ctx.observe("N40", `a transactionRef that is a number ${response.fate}`);
});

for (const [name, what, transactionRef] of [
  ["quotes", "transactionRef has quotes and SQL", "' OR '1'='1';--"],
  ["of-300-characters", "transactionRef has 300 characters", "r".repeat(300)],
] as const) {
  check(`transactionRef-${name}`, `does not crash when ${what}`, { should: "N43" }, async (ctx) => {
    expectNoCrash(await ctx.sendInvalid(ID, { body: { transactionRef } }), what);
  });
}
