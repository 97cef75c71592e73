import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "refundTransaction/accepted",
  { level: "MUST", requirements: contract.refundTransaction.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "refundTransaction"),
);
