import type { Bench } from "../../fixtures/bench.ts";
import { lacking, NotTested } from "../../fixtures/findings.ts";
import { judgeNotDemanded } from "../../fixtures/not-demanded.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";
import { dateIn } from "../discount-codes/dates.ts";

const ID = "updateSubscription";

check("updateSubscription/fields-not-demanded", { level: "MUST", requirements: ["R096"] }, async (bench) => {
  const update = bench.need("SUBSCRIPTION_UPDATE");
  if (Object.keys(contract.updateSubscription.body.shape).every((field) => field in update))
    throw new NotTested("variable", "SUBSCRIPTION_UPDATE has every field: leave one out", [
      "SUBSCRIPTION_UPDATE",
    ]);
  await judgeNotDemanded(bench, ID, () => ({ body: { ...everyField(bench), ...update } }));
});

/** A value for each of the ten optional fields; they may be written only to a subscription that is there for it. */
function everyField(bench: Bench) {
  if (!bench.need("SUBSCRIPTION_EXPENDABLE")) throw lacking(["SUBSCRIPTION_EXPENDABLE"]);
  return {
    planId: String(bench.need("PLAN_ID")),
    planName: "Gold",
    customerId: String(bench.need("CUSTOMER_ID")),
    amount: bench.values.TRANSACTION_AMOUNT ?? 100,
    nextPaymentDate: dateIn(30),
    startDate: dateIn(1),
    subscriptionCode: bench.run.builder.fresh(),
    paymentCount: 1,
    interval: "monthly",
    status: "active",
  };
}
