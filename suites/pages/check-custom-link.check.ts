import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "checkCustomLink/accepted",
  { level: "MUST", requirements: contract.checkCustomLink.requirements.success },
  (bench) => acceptedControl(bench, "checkCustomLink", { ownData: true }),
);
