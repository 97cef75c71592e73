import { missingVariables, NotTested } from "../../fixtures/http/findings.ts";
import { expectNotRequired } from "../../fixtures/judge/expect-accepted.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";
import { dateIn } from "../discount-codes/dates.ts";

const ID = "updateSubscription";

check("updateSubscription/fields-not-demanded", "TITLE", { must: ["R096"] }, async (ctx) => {
  const update = ctx.need("SUBSCRIPTION_UPDATE");
  if (Object.keys(contract.updateSubscription.body.shape).every((field) => field in update))
    throw new NotTested("variable", "SUBSCRIPTION_UPDATE has every field: leave one out", [
      "SUBSCRIPTION_UPDATE",
    ]);
  await expectNotRequired(ctx, ID, () => ({ body: { ...everyField(ctx), ...update } }));
});

/** A value for each of the ten optional fields; they may be written only to a subscription that is there for it. */
function everyField(ctx: CheckContext) {
  if (!ctx.need("SUBSCRIPTION_EXPENDABLE")) throw missingVariables(["SUBSCRIPTION_EXPENDABLE"]);
  return {
    planId: String(ctx.need("PLAN_ID")),
    planName: "Gold",
    customerId: String(ctx.need("CUSTOMER_ID")),
    amount: ctx.values.TRANSACTION_AMOUNT ?? 100,
    nextPaymentDate: dateIn(30),
    startDate: dateIn(1),
    subscriptionCode: ctx.run.builder.fresh(),
    paymentCount: 1,
    interval: "monthly",
    status: "active",
  };
}
