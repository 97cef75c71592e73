import { missingVariables, NotTested } from "../../fixtures/http/findings.ts";
import { mustReject } from "../../fixtures/judge/check-families.ts";
import { expectAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNotAccepted, expectRejectionAsDocumented } from "../../fixtures/judge/matchers.ts";
import { expectDistinctReferences } from "../../fixtures/judge/references.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";

const ID = "createPaymentPage";
/** The one page type that the specification names (section 4.12). */
const pageType = "Subscription";

check("createPaymentPage/subscription", "TITLE", { must: ["R015", "R070", "R073"] }, async (ctx) => {
  await expectAccepted(ctx, await subscriptionPage(ctx));
});

check("createPaymentPage/references-differ", "TITLE", { should: ["R073"] }, async (ctx) =>
  expectDistinctReferences(await requireControl(ctx, ID), await subscriptionPage(ctx)),
);

mustReject("createPaymentPage/subscription-without-planId", ["R070", "R074", "R107"], {
  what: "pageType is Subscription and planId is missing",
  status: 400,
  send: (ctx) => sendInvalidWithRetry(ctx, ID, { body: { pageType, planId: undefined } }),
  judge: async (ctx, answer) => {
    expectNotAccepted(answer, "pageType is Subscription and planId is missing");
    expectRejectionAsDocumented(answer);
    await weighPlan(ctx, answer.text);
  },
});

mustReject("createPaymentPage/subscription-planId-letters", ["R015", "R070"], {
  what: "planId is letters",
  status: 400,
  send: (ctx) => sendInvalidWithRetry(ctx, ID, { body: { pageType, planId: "abc" } }),
  judge: async (ctx, answer) => {
    expectNotAccepted(answer, "planId is letters");
    await weighPlan(ctx, answer.text);
  },
});

/** A page of type Subscription with the operator's plan, created once per run; it needs no PAGE_TYPE. */
async function subscriptionPage(ctx: CheckContext) {
  const answer = await ctx.run.once("createPaymentPage/subscription", () => {
    const planId = ctx.need("PLAN_ID");
    const lacks = ctx.missing(ID).filter((name) => name !== "PAGE_TYPE");
    if (lacks.length > 0) throw missingVariables(lacks);
    return ctx.dispatch(ID, ctx.run.builder.build(ID, { body: { pageType, planId } }));
  });
  ctx.note(answer);
  return answer;
}

/** A refusal is weak when no page with a plan was accepted and the refusal does not speak of the plan. */
async function weighPlan(ctx: CheckContext, refusal: string) {
  if (/planId/i.test(refusal)) return;
  try {
    const control = await subscriptionPage(ctx);
    if (!control.isSuccess)
      ctx.passWeakly("refused, but so was the same page with a plan", [], "createPaymentPage/subscription");
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    ctx.passWeakly(`refused, but nothing shows why: ${error.message}`, error.variables);
  }
}
