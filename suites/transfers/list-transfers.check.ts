import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "listTransfers/accepted",
  { level: "MUST", requirements: contract.listTransfers.requirements.success },
  (bench) => acceptedControl(bench, "listTransfers", { ownData: true }),
);
