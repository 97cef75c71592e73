import { type CheckContext, observes, rejects } from "../../fixtures/engine/vocabulary.ts";
import { fieldDefect } from "../../schemas/changes.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";

rejects(
  "addPageProducts/page-unknown",
  { must: ["R066", "R110"] },
  { ...fieldDefect("pageId", UNKNOWN_ID, "no page has this pageId"), status: 400 },
);

rejectsOtherMerchant("addPageProducts", {
  what: "page and products are another merchant's",
  requirement: "R066",
});

observes("addPageProducts/repeated", "N40", "a second request to add the same products", {});

const products = (ctx: CheckContext) => ctx.need("PRODUCT_IDS").split(",");

oddValues("addPageProducts", {
  rejected: [
    ["productIds-empty", ["R064"], { productIds: "" }, "productIds is empty"],
    ["productIds-with-gap", ["R064"], withGap, "productIds has an empty entry"],
    ["productIds-letters", ["R064"], { productIds: "a,b" }, "productIds has letters"],
    ["productIds-unknown", ["R064"], { productIds: `${UNKNOWN_ID}` }, "no product has the id in productIds"],
    ["pageId-omitted", ["R064"], { pageId: undefined }],
    ["productIds-omitted", ["R064"], { productIds: undefined }],
  ],
  // biome-ignore format: a table
  open: [
    ["productIds-array", "N40", "productIds as an array", (ctx) => ({ productIds: products(ctx) })],
  ],
});

function withGap(ctx: CheckContext) {
  const [product] = products(ctx);
  return { productIds: `${product},,${product}` };
}
