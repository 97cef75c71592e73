import { withOptionalFields } from "../../fixtures/judge/optional-fields.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";

/** Creates a discount code of PRODUCT_ID with every optional field, once per run; returns the answer. */
export async function productCode(ctx: CheckContext) {
  ctx.need("PRODUCT_ID");
  return withOptionalFields(ctx, "createDiscountCode");
}
