import { acceptedControl } from "../../fixtures/control.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createPaymentPage/accepted",
  { level: "MUST", requirements: contract.createPaymentPage.requirements.success },
  (bench) => acceptedControl(bench, "createPaymentPage"),
);
