import { missingVariables } from "../../fixtures/engine/http/findings.ts";
import { imageOf } from "../../fixtures/engine/http/invented.ts";
import { expectOptionalPartsAccepted } from "../../fixtures/engine/judge/expect-accepted.ts";
import {
  type CheckContext,
  demandNoCrash,
  demandOptionalFields,
  NotTested,
} from "../../fixtures/engine/vocabulary.ts";

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

/** Lets a rejection pass weakly if it does not name planId, and no page with a plan was accepted. */
export async function weighPlan(ctx: CheckContext, rejection: string) {
  if (/planId/i.test(rejection)) return;
  try {
    const withPlan = await subscriptionPage(ctx);
    if (withPlan.kind !== "done")
      ctx.passWeakly("rejected, but so was the same page with a plan", [], "createPaymentPage/subscription");
  } catch (error) {
    if (!(error instanceof NotTested)) throw error;
    const message = `rejected, but perhaps for another reason: ${error.message} to compare with a page that has a plan`;
    ctx.passWeakly(message, error.variables);
  }
}

/** Demands that a page with texts for the payer, and an address for the merchant, is accepted. */
export async function expectTexts(ctx: CheckContext) {
  ctx.needProbeWrites();
  const fields = ["redirectAfterPaymentLink", "successMessage", "sendNotificationsToEmail"];
  await demandOptionalFields(ctx, ID, fields);
}

/** Demands that a page with an image is accepted; which files are allowed is undocumented, so a rejection is only observed. */
export async function expectImageAccepted(ctx: CheckContext) {
  const image = imageOf(ctx.values);
  const { accepted, notTested } = await ctx.control(ID);
  if (notTested) throw notTested;
  const response = await ctx.send(ID, { body: { seoImage: image } }, { retry: false });
  demandNoCrash(response, "a seoImage was sent");
  // If the page without an image was rejected too, the image need not be the reason.
  if (accepted || response.kind === "done") {
    ctx.observe("N29", `a seoImage of type ${image.type} ${response.fate}`);
    ctx.observe("N30", `a seoImage of ${sizeOf(image)} ${response.fate}`);
  }
  if (!accepted || response.statusClass !== 4) await expectOptionalPartsAccepted(ctx, response);
}

const sizeOf = ({ size }: File) => (size < 1024 ? "less than 1 kB" : `${Math.ceil(size / 1024)} kB`);
