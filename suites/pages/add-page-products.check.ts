import { mustReject, observes, sendsInvalid, shouldReject } from "../../fixtures/judge/check-families.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "addPageProducts";

mustReject("addPageProducts/page-unknown", ["R066", "R110"], {
  what: "no page has this pageId",
  field: "pageId",
  status: 400,
  send: sendsInvalid(ID, { body: { pageId: UNKNOWN_ID } }),
});

const ODD_PRODUCTS = [
  { name: "empty", of: () => "" },
  { name: "with-gap", of: (first: string) => `${first},,${first}` },
  { name: "letters", of: () => "a,b" },
  { name: "unknown", of: () => String(UNKNOWN_ID) },
];

for (const { name, of } of ODD_PRODUCTS) {
  shouldReject(
    `addPageProducts/productIds-${name}`,
    ["R064"],
    {
      change: (ctx) => ({ body: { productIds: of(products(ctx)[0] ?? "") } }),
      what: `productIds is ${name}`,
      field: "productIds",
    },
    { before: needPage },
  );
}

for (const field of ["pageId", "productIds"] as const) {
  shouldReject(
    `addPageProducts/${field}-omitted`,
    ["R064"],
    { change: { body: { [field]: undefined } }, what: `${field} is left out`, field },
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
observes("addPageProducts/repeated", "N40", "attaching the same products again", {});

function needPage(ctx: CheckContext) {
  ctx.need("PAGE_ID");
  ctx.needProbeWrites();
}

const products = (ctx: CheckContext) => ctx.need("PRODUCT_IDS").split(",");
