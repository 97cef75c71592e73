import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "getProfile/accepted",
  { level: "MUST", requirements: contract.getProfile.requirements.success },
  (bench) => acceptedControl(bench, "getProfile", { ownData: true }),
);
