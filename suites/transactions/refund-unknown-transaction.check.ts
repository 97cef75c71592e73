import { handlingOf } from "../../fixtures/http/wording.ts";
import { mustReject } from "../../fixtures/judge/check-families.ts";
import { expectAnswered, expectNoCrash, expectNotAccepted } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { FRESH } from "../../schemas/recipe.ts";

const ID = "refundTransaction";
const { noun } = contract[ID];

// Refunds that name no transaction of the operator's, so they use none up.

const UNKNOWN_WITHOUT_AMOUNT = "amount is missing and no transaction has this transactionRef";
mustReject(
  "refundTransaction/amount-omitted",
  ["R048"],
  {
    change: { body: { transactionRef: FRESH, amount: undefined } },
    what: UNKNOWN_WITHOUT_AMOUNT,
    status: 404,
  },
  async (ctx, answer) => {
    expectNotAccepted(answer, UNKNOWN_WITHOUT_AMOUNT);
    ctx.observe("N25", `a refund of an unknown transaction without amount ${handlingOf(answer)}`);
  },
);

for (const [name, what, body] of [
  ["transactionRef-omitted", "transactionRef is missing", { transactionRef: undefined }],
  ["body-empty", "the body is an empty object", { transactionRef: undefined, amount: undefined }],
] as const) {
  check(`refundTransaction/${name}`, rejectionTitle(noun, what), { critical: ["R046"] }, async (ctx) => {
    const answer = await sendInvalidWithRetry(ctx, ID, { body });
    expectAnswered(answer);
    ctx.observe("N40", `a refund that names no transaction ${handlingOf(answer)}`);
    expectNotAccepted(answer, what);
  });
}

check(
  "refundTransaction/transactionRef-number",
  "accepts or rejects a transactionRef that is a number",
  { observe: "N40" },
  async (ctx) => {
    const answer = await sendInvalidWithRetry(ctx, ID, { body: { transactionRef: 12345 } });
    expectAnswered(answer);
    ctx.observe("N40", `a transactionRef that is a number ${handlingOf(answer)}`);
  },
);

for (const [name, what, transactionRef] of [
  ["quotes", "transactionRef has quotes and SQL", "' OR '1'='1';--"],
  ["of-300-characters", "transactionRef has 300 characters", "r".repeat(300)],
] as const) {
  const id = `refundTransaction/transactionRef-${name}`;
  check(id, `does not crash when ${what}`, { should: "N43" }, async (ctx) => {
    expectNoCrash(await sendInvalidWithRetry(ctx, ID, { body: { transactionRef } }), what);
  });
}
