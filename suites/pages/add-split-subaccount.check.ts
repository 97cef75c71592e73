import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "addSplitSubaccount/accepted",
  { level: "MUST", requirements: contract.addSplitSubaccount.requirements.success },
  (bench) => acceptedControl(bench, "addSplitSubaccount"),
);
