import { acceptedControl, controlOf } from "../../fixtures/control.ts";
import { observes } from "../../fixtures/leeway-checks.ts";
import { accepted } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";
import { FRESH, UNKNOWN_ID } from "../../schemas/operation.ts";

const ID = "listDiscountCodes";

check(
  "listDiscountCodes/accepted",
  { level: "MUST", requirements: contract.listDiscountCodes.requirements.success },
  (bench) => acceptedControl(bench, ID, { ownData: true }),
);

check("listDiscountCodes/productId", { level: "MUST", requirements: ["R090", "R091"] }, async (bench) => {
  const productId = bench.need("PRODUCT_ID");
  const control = await controlOf(bench, ID);
  await accepted(bench, ID, { query: { productId } }, { afterAccepted: control.accepted });
});

check("listDiscountCodes/code-random", { level: "SHOULD", requirements: ["R090"] }, async (bench) => {
  const control = await controlOf(bench, ID);
  await accepted(bench, ID, { query: { code: FRESH } }, { afterAccepted: control.accepted });
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
