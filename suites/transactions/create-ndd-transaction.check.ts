import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createNddTransaction/accepted",
  { level: "MUST", requirements: contract.createNddTransaction.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "createNddTransaction"),
);
