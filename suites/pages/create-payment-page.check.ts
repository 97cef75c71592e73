import { unsuitableVariable } from "../../fixtures/http/findings.ts";
import { expectNotRequired } from "../../fixtures/judge/expect-accepted.ts";
import { expectOptionalFields } from "../../fixtures/judge/optional-fields.ts";
import { check } from "../../fixtures/run/check.ts";
import { contract } from "../../schemas/contract.ts";
import { observeRecord, refusesTaken } from "./creations.ts";

const ID = "createPaymentPage";
const { noun } = contract[ID];

check(
  "createPaymentPage/text-fields",
  `accepts ${noun} with a redirect, a success message and a notification address`,
  { must: ["R015", "R071"] },
  async (ctx) => {
    ctx.needProbeWrites();
    await expectOptionalFields(ctx, ID, [
      "redirectAfterPaymentLink",
      "successMessage",
      "sendNotificationsToEmail",
    ]);
  },
);

check(
  "createPaymentPage/planId-not-demanded",
  `accepts ${noun} without planId when pageType is not Subscription`,
  { must: ["R070"] },
  async (ctx) => {
    const pageType = ctx.need("PAGE_TYPE");
    if (/subscri|recurr|plan/i.test(pageType))
      throw unsuitableVariable("PAGE_TYPE", `a type that needs no plan: ${pageType} seems to need one`);
    await expectNotRequired(ctx, ID, () => ({ body: { planId: ctx.need("PLAN_ID") } }), ["PLAN_ID"]);
  },
);

refusesTaken(ID, "customLink", "N40");
observeRecord(ID, "N06");
