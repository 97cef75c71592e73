import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  demandNotRequired,
  ifDecided,
  skip,
  writeDate,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { needExpendable, needRecord } from "../every-operation/requests.ts";
import { membersNamed } from "../every-operation/values/shown-values.ts";

const ID = "updateSubscription";
const check = checksUnder(ID);

const KEEPS = "leaves a subscription as it was when it rejects an update";
check("rejections/leave-nothing", KEEPS, { critical: "practice" }, async (ctx) => {
  needRecord(ctx, ID);
  await ctx.ordinary(ID);
  const rejected: { readonly response: ApiResponse; readonly planName: string }[] = [];
  const options = { retry: false, alone: true } as const;
  // No operation reads a subscription, but the response to the next update may show it.
  const updated = await ctx.run.client.alone(async () => {
    for (const wrong of [{ amount: "abc" }, { paymentCount: "x" }]) {
      const planName = ctx.run.builder.fresh();
      const response = await ctx.sendInvalid(ID, { body: { planName, ...wrong } }, options);
      if (response.kind === "rejected" || response.status === 500) rejected.push({ response, planName });
    }
    return ctx.send(ID, { body: { planName: undefined, amount: 125.5 } }, options);
  });
  const shown = membersNamed(updated.json, "planName");
  if (shown.length === 0 || rejected.length === 0)
    skip("no response shows what a rejected update leaves behind");
  for (const { response, planName } of rejected) {
    const isKept = shown.every(({ value }) => value !== planName);
    const actual = `shows a subscription with the planName of an update to which it ${response.outcome}`;
    demand(isKept, updated, actual, "the values that it had before", [response]);
  }
});

rejectsOtherMerchant(ID, {
  what: "the subscription is another merchant's",
  requirement: "R099",
  status: 404,
  otherwise: {
    what: "the subscription is another merchant's and all fields are given",
    send: (ctx) => {
      const sendEvery = async () =>
        ctx.other.send(ID, { body: everyField(ctx) }, { retry: false, mayBeBusy: true });
      return ifDecided(sendEvery());
    },
  },
});

const FIELDS_NOT_DEMANDED = "accepts a subscription update with only some of the ten fields";
check("fields-not-demanded", FIELDS_NOT_DEMANDED, { must: ["R096"] }, async (ctx) => {
  const update = ctx.need("SUBSCRIPTION_UPDATE");
  if (Object.keys(contract[ID].body.shape).every((field) => field in update))
    skip("set SUBSCRIPTION_UPDATE to an object with fewer fields: it has all ten", "variable", [
      "SUBSCRIPTION_UPDATE",
    ]);
  await demandNotRequired(ctx, ID, () => ({ body: { ...everyField(ctx), ...update } }));
});

/** A value for each of the ten optional fields; throws `NotTested` unless the subscription may take odd values. */
function everyField(ctx: CheckContext) {
  needExpendable(ctx, ID);
  return {
    planId: String(ctx.need("PLAN_ID")),
    planName: "Gold",
    customerId: String(ctx.need("CUSTOMER_ID")),
    amount: ctx.values.TRANSACTION_AMOUNT ?? 100,
    nextPaymentDate: writeDate(30),
    startDate: writeDate(1),
    subscriptionCode: ctx.run.builder.fresh(),
    paymentCount: 1,
    interval: "monthly",
    status: "active",
  };
}

oddValues(ID, {
  rejected: [
    ["paymentCount-fraction", ["R013", "R098"], { paymentCount: 1.5 }],
    ["nextPaymentDate-no-date", ["R013", "R098"], { nextPaymentDate: "banana" }],
    ["startDate-no-date", ["R013", "R098"], { startDate: "banana" }],
    ["nextPaymentDate-impossible", ["R013", "R098"], { nextPaymentDate: "2024-02-30" }],
    ["nextPaymentDate-with-slashes", ["R013", "R098"], { nextPaymentDate: "31/12/2030" }],
    ["nextPaymentDate-with-time", ["R013", "R098"], { nextPaymentDate: "2030-12-31T10:00:00Z" }],
  ],
  // biome-ignore format: a table
  apart: [
    ["amount-negative", "G02", { amount: -1 }],
  ],
  // biome-ignore format: a table
  open: [
    ["body-empty", "N40", "a subscription update without any field", withoutUpdate],
    ["status-invented", "N12", "an invented status", { status: "conformance" }],
  ],
});

function withoutUpdate({ values }: CheckContext) {
  return Object.fromEntries(Object.keys(values.SUBSCRIPTION_UPDATE ?? {}).map((name) => [name, undefined]));
}
