import { mustReject, observes, shouldReject } from "../../fixtures/engine/judge/check-families.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { fieldDefect } from "../../schemas/changes.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/other-merchant.ts";

mustReject("addPageProducts/page-unknown", ["R066", "R110"], {
  ...fieldDefect("pageId", UNKNOWN_ID, "no page has this pageId"),
  status: 400,
});

rejectsOtherMerchant("addPageProducts", {
  what: "page and products are another merchant's",
  requirement: "R066",
  send: (ctx, authorization) => ctx.send("addPageProducts", {}, { authorization, retry: false }),
});

for (const [name, what, idsOf] of [
  ["empty", "productIds is empty", () => ""],
  ["with-gap", "productIds has an empty entry", (product: string) => `${product},,${product}`],
  ["letters", "productIds has letters", () => "a,b"],
  ["unknown", "no product has the id in productIds", () => String(UNKNOWN_ID)],
] as const) {
  const change = (ctx: CheckContext) => ({ body: { productIds: idsOf(products(ctx)[0] ?? "") } });
  const wrong = { change, what, field: "productIds" };
  shouldReject(`addPageProducts/productIds-${name}`, ["R064"], wrong, needPage);
}

for (const field of ["pageId", "productIds"])
  shouldReject(`addPageProducts/${field}-omitted`, ["R064"], fieldDefect(field, undefined), (ctx) =>
    ctx.needProbeWrites(),
  );

observes(
  "addPageProducts/productIds-array",
  "N40",
  "productIds as an array",
  (ctx) => ({ body: { productIds: products(ctx) } }),
  needPage,
);
observes("addPageProducts/repeated", "N40", "a second request to add the same products", {});

function needPage(ctx: CheckContext) {
  ctx.need("PAGE_ID");
  ctx.needProbeWrites();
}

const products = (ctx: CheckContext) => ctx.need("PRODUCT_IDS").split(",");
