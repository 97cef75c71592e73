import { observes } from "../../fixtures/judge/check-families.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { check } from "../../fixtures/run/check.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { FRESH, UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "listDiscountCodes";

check("listDiscountCodes/productId", "TITLE", { must: ["R090", "R091"] }, async (ctx) => {
  const productId = ctx.need("PRODUCT_ID");
  const control = await controlOf(ctx, ID);
  await sendAccepted(ctx, ID, { query: { productId } }, { afterAccepted: control.accepted });
});

check("listDiscountCodes/code-random", "TITLE", { should: ["R090"] }, async (ctx) => {
  const control = await controlOf(ctx, ID);
  await sendAccepted(ctx, ID, { query: { code: FRESH } }, { afterAccepted: control.accepted });
});

observes("listDiscountCodes/productId-unknown", "G14", "a list for an unknown productId", {
  query: { productId: UNKNOWN_ID },
});
observes("listDiscountCodes/productId-letters", "G14", "a list for a productId in letters", {
  query: { productId: "abc" },
});
observes("listDiscountCodes/limit-and-page", "G08", "a list with the undocumented limit and page", {
  query: { limit: 5, page: 1 },
});
