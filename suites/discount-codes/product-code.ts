import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { dateIn } from "./dates.ts";

/** Creates a discount code of PRODUCT_ID with every optional field, once per run; returns the answer. */
export function productCode(bench: Bench): Promise<Answer> {
  const productId = bench.need("PRODUCT_ID");
  return bench.run.shared("discount code with optional fields", () =>
    bench.send("createDiscountCode", {
      body: {
        productId,
        minOrderAmount: 100,
        maxUsePerCustomer: 1,
        maxClaims: 10,
        startDate: dateIn(1, bench.values.DISCOUNT_DATE_FORMAT),
        endDate: dateIn(30, bench.values.DISCOUNT_DATE_FORMAT),
        isActive: true,
        isDelete: false,
      },
    }),
  );
}
