import { check, undecided } from "../../fixtures/engine/vocabulary.ts";
import { rejectsOtherMerchantsRecord } from "../every-operation/authentication/credentials.ts";
import { findMade } from "../every-operation/values/find-made.ts";

const ID = "createDiscountCode";

const LISTED_AT_ONCE = "whether the next request lists a new discount code";
check("createDiscountCode/listed-at-once", LISTED_AT_ONCE, { observe: "G17", probe: true }, async (ctx) => {
  const response = await ctx.send(ID, {}, { retry: false });
  if (!response.isSuccess) undecided(`${response.outcome}: there is no new code`, `${ID}/accepted`);
  const { isShown } = await findMade(ctx, ID, String(response.bodySent.code));
  ctx.observe("G17", `a new discount code is ${isShown ? "" : "not "}listed by the next request`);
});

rejectsOtherMerchantsRecord(ID, "product", (ctx) => ({ productId: ctx.need("PRODUCT_ID") }));
