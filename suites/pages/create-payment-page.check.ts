import { NotTested, Violation } from "../../fixtures/http/findings.ts";
import { partSent } from "../../fixtures/http/sent.ts";
import { membersOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { expectNotRequired, sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import { controlOf, requireControl } from "../../fixtures/run/control.ts";

const ID = "createPaymentPage";

check("createPaymentPage/text-fields", "TITLE", { must: ["R015", "R071"] }, async (ctx) => {
  ctx.needProbeWrites();
  const { accepted: afterAccepted } = await controlOf(ctx, ID);
  const body = {
    redirectAfterPaymentLink: "https://example.com/thanks",
    successMessage: "Thank you",
    sendNotificationsToEmail: ctx.values.EMAIL_ADDRESS ?? "notices@example.com",
  };
  await sendAccepted(ctx, ID, { body }, { afterAccepted });
});

check("createPaymentPage/planId-not-demanded", "TITLE", { must: ["R070"] }, async (ctx) => {
  const pageType = ctx.need("PAGE_TYPE");
  if (/subscri|recurr|plan/i.test(pageType))
    throw new NotTested("variable", `a page of type ${pageType} has a plan: give another PAGE_TYPE`, [
      "PAGE_TYPE",
    ]);
  await expectNotRequired(ctx, ID, () => ({ body: { planId: ctx.need("PLAN_ID") } }), ["PLAN_ID"]);
});

check("createPaymentPage/customLink-repeated", "TITLE", { should: "N40" }, async (ctx) => {
  const customLink = partSent(await requireControl(ctx, ID), "customLink");
  const answer = await sendTolerated(ctx, ID, { body: { customLink } }, { planned: true });
  expectNoCrash(answer, "a customLink is used a second time");
  if (answer.looksAccepted)
    throw new Violation(answer, `${outcomeOf(answer)} when a customLink is used a second time`, "a refusal");
});

check("createPaymentPage/record", "TITLE", { observe: "N06" }, async (ctx) => {
  const answer = await requireControl(ctx, ID);
  ctx.observe("N06", `data of a created page is ${membersOf(answer.field("data"))}`);
});
