import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createTransfer/accepted",
  { level: "MUST", requirements: contract.createTransfer.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "createTransfer"),
);
