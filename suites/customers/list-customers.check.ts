import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "listCustomers/accepted",
  { level: "MUST", requirements: contract.listCustomers.requirements.success },
  (bench) => acceptedControl(bench, "listCustomers", { ownData: true }),
);
