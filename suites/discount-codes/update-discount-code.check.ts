import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "updateDiscountCode/accepted",
  { level: "MUST", requirements: contract.updateDiscountCode.requirements.success },
  (bench) => acceptedControl(bench, "updateDiscountCode"),
);
