import { mustReject, observes, sendsInvalid, shouldReject } from "../../fixtures/judge/check-families.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { describeChange } from "../../schemas/changes.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "addPageProducts";

mustReject("addPageProducts/page-unknown", ["R066", "R110"], {
  what: "no page has this pageId",
  field: "pageId",
  status: 400,
  send: sendsInvalid(ID, { body: { pageId: UNKNOWN_ID } }),
});

const ODD_PRODUCTS = [
  { name: "empty", what: "productIds is empty", of: () => "" },
  {
    name: "with-gap",
    what: "productIds has an empty entry",
    of: (product: string) => `${product},,${product}`,
  },
  { name: "letters", what: "productIds has letters", of: () => "a,b" },
  { name: "unknown", what: "no product has the id in productIds", of: () => String(UNKNOWN_ID) },
];

for (const { name, what, of } of ODD_PRODUCTS) {
  shouldReject(
    `addPageProducts/productIds-${name}`,
    ["R064"],
    { change: (ctx) => ({ body: { productIds: of(products(ctx)[0] ?? "") } }), what, field: "productIds" },
    { before: needPage },
  );
}

for (const field of ["pageId", "productIds"] as const) {
  const change = { body: { [field]: undefined } };
  shouldReject(
    `addPageProducts/${field}-omitted`,
    ["R064"],
    { change, what: describeChange(change), field },
    { before: (ctx) => ctx.needProbeWrites() },
  );
}

observes(
  "addPageProducts/productIds-array",
  "N40",
  "productIds as an array",
  (ctx) => ({ body: { productIds: products(ctx) } }),
  { before: needPage },
);
observes("addPageProducts/repeated", "N40", "a second request to add the same products", {});

function needPage(ctx: CheckContext) {
  ctx.need("PAGE_ID");
  ctx.needProbeWrites();
}

const products = (ctx: CheckContext) => ctx.need("PRODUCT_IDS").split(",");
