import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "addPageProducts/accepted",
  { level: "MUST", requirements: contract.addPageProducts.requirements.success },
  (bench) => acceptedControl(bench, "addPageProducts"),
);
