import { dateIn } from "../../fixtures/http/dates.ts";
import { unsuitableVariable } from "../../fixtures/http/findings.ts";
import { expectNotRequired } from "../../fixtures/judge/expect-accepted.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";
import { needExpendable } from "../protocol/consent.ts";

const ID = "updateSubscription";

check(
  "updateSubscription/fields-not-demanded",
  "accepts a subscription update with only some of the ten fields",
  { must: ["R096"] },
  async (ctx) => {
    const update = ctx.need("SUBSCRIPTION_UPDATE");
    if (Object.keys(contract[ID].body.shape).every((field) => field in update))
      throw unsuitableVariable("SUBSCRIPTION_UPDATE", "an object with fewer fields: it has all ten");
    await expectNotRequired(ctx, ID, () => ({ body: { ...everyField(ctx), ...update } }));
  },
);

/** A value for each of the ten optional fields; throws `NotTested` unless the subscription may take odd values. */
function everyField(ctx: CheckContext) {
  needExpendable(ctx, ID);
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
