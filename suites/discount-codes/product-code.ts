import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { dateIn } from "./dates.ts";

/** Creates a discount code of PRODUCT_ID with every optional field, once per run; returns the answer. */
export const productCode = (ctx: CheckContext) =>
  ctx.once("discount code with optional fields", () =>
    ctx.send("createDiscountCode", {
      body: {
        productId: ctx.need("PRODUCT_ID"),
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
