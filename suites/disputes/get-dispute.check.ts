import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "getDispute/accepted",
  { level: "MUST", requirements: contract.getDispute.requirements.success },
  (bench) => acceptedControl(bench, "getDispute"),
);
