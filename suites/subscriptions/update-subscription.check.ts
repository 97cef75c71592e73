import { missingVariables, Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf, typeName } from "../../fixtures/http/wording.ts";
import { observes, shouldReject, shouldRejectCritically } from "../../fixtures/judge/check-families.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { secondMerchant } from "../../fixtures/run/second-merchant.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "updateSubscription";

check("updateSubscription/repeated", "TITLE", { should: "RFC 9110" }, async (ctx) => {
  const first = await requireControl(ctx, ID);
  const second = await sendTolerated(ctx, ID);
  if (second.status !== first.status)
    throw new Violation(
      second,
      `${outcomeOf(second)} when the same update is sent again`,
      `${first.status} again`,
    );
});

const ODD_VALUES = [
  { name: "paymentCount-fraction", field: "paymentCount", value: 1.5 },
  { name: "nextPaymentDate-impossible", field: "nextPaymentDate", value: "2024-02-30" },
  { name: "nextPaymentDate-with-slashes", field: "nextPaymentDate", value: "31/12/2030" },
  { name: "nextPaymentDate-with-time", field: "nextPaymentDate", value: "2030-12-31T10:00:00Z" },
] as const;

for (const { name, field, value } of ODD_VALUES) {
  shouldReject(
    `updateSubscription/${name}`,
    ["R013", "R098"],
    { change: { body: { [field]: value } }, what: `${field} is ${value}`, field },
    { before: needExpendable },
  );
}

shouldRejectCritically(
  "updateSubscription/amount-negative",
  "G02",
  { what: "amount is -1", field: "amount" },
  async (ctx) => {
    needExpendable(ctx);
    return sendInvalidWithRetry(ctx, ID, { body: { amount: -1 } });
  },
);

observes(
  "updateSubscription/body-empty",
  "N40",
  "an update without any field",
  ({ values }) => ({
    body: Object.fromEntries(Object.keys(values.SUBSCRIPTION_UPDATE ?? {}).map((name) => [name, undefined])),
  }),
  { before: needExpendable },
);
observes(
  "updateSubscription/status-invented",
  "N12",
  "an invented status",
  { body: { status: "conformance" } },
  { before: needExpendable },
);

check("updateSubscription/not-found-body", "TITLE", { observe: "G13" }, async (ctx) => {
  const answer = await sendInvalidWithRetry(ctx, ID, {
    path: { id: UNKNOWN_ID },
    body: { planName: "Gold" },
  });
  expectAnswered(answer);
  const members = Object.keys(Object(answer.json)).toSorted();
  ctx.observe(
    "G13",
    `an unknown subscription is answered ${answer.status} with ${
      answer.jsonProblem ? "no JSON" : `${typeName(answer.json)}: ${members.join(", ") || "no members"}`
    }`,
  );
});

check("updateSubscription/other-merchant", "TITLE", { critical: "G18" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  await needAccepted();
  const answer = await ctx.send(ID, {}, { authorization });
  expectAnswered(answer);
  if (answer.status !== 404)
    throw new Violation(answer, `${outcomeOf(answer)} to another merchant's update of it`, "404");
});

/** Throws `NotTested` unless odd values may be written to the subscription. */
function needExpendable(ctx: CheckContext) {
  ctx.need("SUBSCRIPTION_ID");
  if (!ctx.need("SUBSCRIPTION_EXPENDABLE")) throw missingVariables(["SUBSCRIPTION_EXPENDABLE"]);
}
