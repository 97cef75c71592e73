import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createDiscountCode/accepted",
  { level: "MUST", requirements: contract.createDiscountCode.requirements.success },
  (bench) => acceptedControl(bench, "createDiscountCode"),
);
