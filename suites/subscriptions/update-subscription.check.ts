import { ifDecided, unsuitableVariable } from "../../fixtures/engine/http/findings.ts";
import { dateIn } from "../../fixtures/engine/http/invented.ts";
import { membersOf } from "../../fixtures/engine/http/wording.ts";
import { sendTolerated } from "../../fixtures/engine/judge/check-families.ts";
import { expectNotRequired } from "../../fixtures/engine/judge/expect-accepted.ts";
import { sendRejected } from "../../fixtures/engine/judge/expect-rejected.ts";
import { expectAnswered, expectNoCrash, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { checksUnder } from "../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../fixtures/engine/run/control.ts";
import { fieldDefect, rejectionTitle } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { needExpendable, needRecord } from "../every-operation/statuses-and-bodies/requests.ts";

const ID = "updateSubscription";
const check = checksUnder(ID);

const REPEATED = "returns the same status when an update is repeated";
check("repeated", REPEATED, { should: "RFC 9110" }, async (ctx) => {
  const first = await requireControl(ctx, ID);
  const second = await sendTolerated(ctx, ID);
  const actual = `${second.outcome} when the same update was sent again`;
  expectThat(second.status === first.status, second, actual, `${first.status} again`);
});

for (const [field, name, value] of [
  ["paymentCount", "fraction", 1.5],
  ["nextPaymentDate", "no-date", "banana"],
  ["startDate", "no-date", "banana"],
] as const) {
  const wrong = fieldDefect(field, value);
  const title = rejectionTitle(contract[ID].noun, wrong.what);
  check(`${field}-${name}`, title, { critical: ["R013", "R098"] }, async (ctx) => {
    needRecord(ctx, ID);
    expectNoCrash(await sendRejected(ctx, ID, wrong), wrong.what);
  });
}

const NOT_FOUND_BODY = "body of the rejection when no subscription has this id";
check("not-found-body", NOT_FOUND_BODY, { observe: "G13" }, async (ctx) => {
  const change = { path: { id: UNKNOWN_ID }, body: { planName: "Gold" } };
  const response = await ctx.sendInvalid(ID, change);
  expectAnswered(response);
  const body = response.jsonProblem?.text ?? `the body is ${membersOf(response.json)}`;
  ctx.observe("G13", `an update of an unknown subscription ${response.outcome}, where ${body}`);
});

rejectsOtherMerchant(ID, {
  what: "the subscription is another merchant's",
  requirement: "R099",
  status: 404,
  otherwise: {
    what: "the subscription is another merchant's and all fields are given",
    send: (ctx, authorization) => {
      const sendEvery = async () => ctx.send(ID, { body: everyField(ctx) }, { authorization, retry: false });
      return ifDecided(sendEvery());
    },
  },
});

const FIELDS_NOT_DEMANDED = "accepts a subscription update with only some of the ten fields";
check("fields-not-demanded", FIELDS_NOT_DEMANDED, { must: ["R096"] }, async (ctx) => {
  const update = ctx.need("SUBSCRIPTION_UPDATE");
  if (Object.keys(contract[ID].body.shape).every((field) => field in update))
    throw unsuitableVariable("SUBSCRIPTION_UPDATE", "an object with fewer fields: it has all ten");
  await expectNotRequired(ctx, ID, () => ({ body: { ...everyField(ctx), ...update } }));
});

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
