import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "listPageProducts/accepted",
  { level: "MUST", requirements: contract.listPageProducts.requirements.success },
  (bench) => acceptedControl(bench, "listPageProducts"),
);
