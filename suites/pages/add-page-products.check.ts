import type { Bench } from "../../fixtures/bench.ts";
import { acceptedControl } from "../../fixtures/control.ts";
import { judgeRefusedAsDocumented } from "../../fixtures/leeway.ts";
import { attempts, discourages, observes, refuses } from "../../fixtures/leeway-checks.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/operation.ts";

const ID = "addPageProducts";

check(
  "addPageProducts/accepted",
  { level: "MUST", requirements: contract.addPageProducts.requirements.success },
  (bench) => acceptedControl(bench, ID),
);

refuses(
  "addPageProducts/page-unknown",
  { requirements: ["R066", "R110"] },
  400,
  (bench, answer) =>
    judgeRefusedAsDocumented(bench, ID, answer, { what: "there is no such page", field: "pageId" }),
  attempts(ID, { body: { pageId: UNKNOWN_ID } }),
);

const ODD_PRODUCTS = [
  { name: "empty", of: () => "" },
  { name: "with-gap", of: (first: string) => `${first},,${first}` },
  { name: "letters", of: () => "a,b" },
  { name: "unknown", of: () => String(UNKNOWN_ID) },
];

for (const { name, of } of ODD_PRODUCTS) {
  discourages(
    `addPageProducts/productIds-${name}`,
    { requirements: ["R064"] },
    {
      change: (bench) => ({ body: { productIds: of(products(bench)[0] ?? "") } }),
      what: `productIds is ${name}`,
      field: "productIds",
    },
    { before: needPage },
  );
}

for (const field of ["pageId", "productIds"] as const) {
  discourages(
    `addPageProducts/${field}-omitted`,
    { requirements: ["R064"] },
    { change: { body: { [field]: undefined } }, what: `${field} is left out`, field },
    { before: (bench) => bench.needProbeWrites() },
  );
}

observes(
  "addPageProducts/productIds-array",
  "N40",
  "productIds as an array",
  (bench) => ({ body: { productIds: products(bench) } }),
  { before: needPage },
);
observes("addPageProducts/repeated", "N40", "attaching the same products again", {});

function needPage(bench: Bench) {
  bench.need("PAGE_ID");
  bench.needProbeWrites();
}

const products = (bench: Bench) => bench.need("PRODUCT_IDS").split(",");
