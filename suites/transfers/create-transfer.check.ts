import { acceptedControl } from "../../fixtures/control.ts";
import { accepted } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createTransfer/accepted",
  { level: "MUST", requirements: contract.createTransfer.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "createTransfer"),
);

check("createTransfer/optional-fields", { level: "MUST", requirements: ["R084"], pays: 1 }, async (bench) => {
  await acceptedControl(bench, "createTransfer");
  const { BANK_NAME: bankName } = bench.values;
  const transferNote = `payments-conformance ${bench.run.settings.runId}`;
  await accepted(bench, "createTransfer", { body: { bankName, transferNote } }, { afterAccepted: true });
});
