import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "listDiscountCodes/accepted",
  { level: "MUST", requirements: contract.listDiscountCodes.requirements.success },
  (bench) => acceptedControl(bench, "listDiscountCodes", { ownData: true }),
);
