import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "updateSubscription/accepted",
  { level: "MUST", requirements: contract.updateSubscription.requirements.success },
  (bench) => acceptedControl(bench, "updateSubscription"),
);
