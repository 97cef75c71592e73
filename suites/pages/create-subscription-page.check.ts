import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { lacking, NotTested } from "../../fixtures/findings.ts";
import { basisOf, judgeRefusalBody } from "../../fixtures/leeway.ts";
import { refuses } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently, judgeNotCarriedOut } from "../../fixtures/negative.ts";
import { judgeAccepted } from "../../fixtures/positive.ts";
import { judgeReferencesDiffer } from "../../fixtures/references.ts";
import { check } from "../../fixtures/test.ts";

const ID = "createPaymentPage";
/** The one page type that the specification names (section 4.12). */
const pageType = "Subscription";

check(
  "createPaymentPage/subscription",
  { level: "MUST", requirements: ["R015", "R070", "R073"] },
  async (bench) => {
    await judgeAccepted(bench, await subscriptionPage(bench));
  },
);

check("createPaymentPage/references-differ", { level: "SHOULD", requirements: ["R073"] }, async (bench) =>
  judgeReferencesDiffer(await basisOf(bench, ID), await subscriptionPage(bench)),
);

refuses(
  "createPaymentPage/subscription-without-planId",
  { requirements: ["R070", "R074", "R107"] },
  400,
  async (bench, answer) => {
    judgeNotCarriedOut(answer, "a page of type Subscription has no planId");
    judgeRefusalBody(answer);
    await weighPlan(bench, answer.text);
  },
  (bench) => attemptPatiently(bench, ID, { body: { pageType, planId: undefined } }),
);

refuses(
  "createPaymentPage/subscription-planId-letters",
  { requirements: ["R015", "R070"] },
  400,
  async (bench, answer) => {
    judgeNotCarriedOut(answer, "planId is abc");
    await weighPlan(bench, answer.text);
  },
  (bench) => attemptPatiently(bench, ID, { body: { pageType, planId: "abc" } }),
);

/** A page of type Subscription with the operator's plan, created once per run; it needs no PAGE_TYPE. */
async function subscriptionPage(bench: Bench) {
  const answer = await bench.run.shared("createPaymentPage/subscription", () => {
    const planId = bench.need("PLAN_ID");
    const lacks = bench.lacks(ID).filter((name) => name !== "PAGE_TYPE");
    if (lacks.length > 0) throw lacking(lacks);
    return bench.dispatch(ID, bench.run.builder.build(ID, { body: { pageType, planId } }));
  });
  bench.note(answer);
  return answer;
}

/** A refusal is weak when no page with a plan was accepted and the refusal does not speak of the plan. */
async function weighPlan(bench: Bench, refusal: string) {
  if (/planId/i.test(refusal)) return;
  try {
    const control = await subscriptionPage(bench);
    if (!isSuccess(control))
      bench.weak("refused, but so was the same page with a plan", [], "createPaymentPage/subscription");
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    bench.weak(`refused, but nothing shows why: ${error.message}`, error.variables);
  }
}
