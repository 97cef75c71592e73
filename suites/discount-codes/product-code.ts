import type { Answer } from "../../fixtures/http/answer.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { dateIn } from "./dates.ts";

/** Creates a discount code of PRODUCT_ID with every optional field, once per run; returns the answer. */
export async function productCode(ctx: CheckContext): Promise<Answer> {
  const productId = ctx.need("PRODUCT_ID");
  const answer = await ctx.run.once("discount code with optional fields", () =>
    ctx.send("createDiscountCode", {
      body: {
        productId,
        minOrderAmount: 100,
        maxUsePerCustomer: 1,
        maxClaims: 10,
        startDate: dateIn(1, ctx.values.DISCOUNT_DATE_FORMAT),
        endDate: dateIn(30, ctx.values.DISCOUNT_DATE_FORMAT),
        isActive: true,
        isDelete: false,
      },
    }),
  );
  ctx.note(answer);
  return answer;
}
