import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

const { requirements } = contract.updateDiscountCode;

check(
  "updateDiscountCode/accepted",
  // A refusal is inconclusive, since the recipe may be wrong; one with another body than the documented is not.
  { level: "MUST", requirements: [...requirements.success, "R068", "R107"], scope: "discount-update" },
  (bench) => acceptedControl(bench, "updateDiscountCode"),
);
