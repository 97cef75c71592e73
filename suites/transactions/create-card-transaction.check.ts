import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createCardTransaction/accepted",
  { level: "MUST", requirements: contract.createCardTransaction.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "createCardTransaction"),
);
