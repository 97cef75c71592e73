import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createQrTransaction/accepted",
  { level: "MUST", requirements: contract.createQrTransaction.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "createQrTransaction"),
);
