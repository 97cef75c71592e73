import { missingVariables } from "../../fixtures/engine/http/findings.ts";
import type { CheckContext } from "../../fixtures/engine/vocabulary.ts";

const ID = "createPaymentPage";

/** The one page type that the specification names (section 4.12). */
export const pageType = "Subscription";

/** Sends a page of type Subscription with the operator's plan, once per run; it needs no PAGE_TYPE. */
export const subscriptionPage = (ctx: CheckContext) =>
  ctx.once(`${ID}/subscription`, () => {
    const planId = ctx.need("PLAN_ID");
    const missing = ctx.missing(ID).filter((name) => name !== "PAGE_TYPE");
    if (missing.length > 0) throw missingVariables(missing);
    const draft = ctx.run.builder.build(ID, { body: { pageType, planId } });
    return ctx.send(ID, {}, { draft, retry: false, mayBeBusy: true });
  });
