import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "listRecipients/accepted",
  { level: "MUST", requirements: contract.listRecipients.requirements.success },
  (bench) => acceptedControl(bench, "listRecipients", { ownData: true }),
);
