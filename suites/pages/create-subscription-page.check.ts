import { missingVariables, NotTested } from "../../fixtures/http/findings.ts";
import { mustReject } from "../../fixtures/judge/check-families.ts";
import { expectAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNotAccepted, expectRejectionAsDocumented } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";

const ID = "createPaymentPage";
/** The one page type that the specification names (section 4.12). */
const pageType = "Subscription";

check(
  "createPaymentPage/subscription",
  "accepts a payment page with pageType Subscription and planId",
  { must: ["R015", "R070", "R073"] },
  async (ctx) => expectAccepted(ctx, await subscriptionPage(ctx)),
);

const NO_PLAN = "planId is missing and pageType is Subscription";
mustReject(
  "createPaymentPage/subscription-without-planId",
  ["R070", "R074", "R107"],
  { change: { body: { pageType, planId: undefined } }, what: NO_PLAN, status: 400 },
  async (ctx, answer) => {
    expectNotAccepted(answer, NO_PLAN);
    expectRejectionAsDocumented(answer);
    await weighPlan(ctx, answer.text);
  },
);

const LETTERS = 'planId is "abc" and pageType is Subscription';
mustReject(
  "createPaymentPage/subscription-planId-letters",
  ["R015", "R070"],
  { change: { body: { pageType, planId: "abc" } }, what: LETTERS, status: 400 },
  async (ctx, answer) => {
    expectNotAccepted(answer, LETTERS);
    await weighPlan(ctx, answer.text);
  },
);

/** Sends a page of type Subscription with the operator's plan, once per run; it needs no PAGE_TYPE. */
const subscriptionPage = (ctx: CheckContext) =>
  ctx.once("createPaymentPage/subscription", () => {
    const planId = ctx.need("PLAN_ID");
    const missing = ctx.missing(ID).filter((name) => name !== "PAGE_TYPE");
    if (missing.length > 0) throw missingVariables(missing);
    return ctx.dispatch(ID, ctx.run.builder.build(ID, { body: { pageType, planId } }));
  });

/** Lets a rejection pass weakly if it does not name planId, and no page with a plan was accepted. */
async function weighPlan(ctx: CheckContext, rejection: string) {
  if (/planId/i.test(rejection)) return;
  try {
    const withPlan = await subscriptionPage(ctx);
    if (!withPlan.isSuccess)
      ctx.passWeakly("rejected, but so was the same page with a plan", [], "createPaymentPage/subscription");
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    const message = `rejected, but perhaps for another reason: ${error.message} to compare with a page that has a plan`;
    ctx.passWeakly(message, error.variables);
  }
}
