import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "initializeVirtualAccount/accepted",
  { level: "MUST", requirements: contract.initializeVirtualAccount.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "initializeVirtualAccount", { ownData: true }),
);
