import { acceptedControl } from "../../fixtures/control.ts";
import { basisOf } from "../../fixtures/leeway.ts";
import { discouragesCritically, observes } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";
import { checkAmounts, checkOverflow, NOT_POSITIVE, OUT_OF_SCALE } from "./amounts.ts";
import { observeStatus, refusesWithoutIdentifier } from "./observations.ts";

check(
  "createNddTransaction/accepted",
  { level: "MUST", requirements: contract.createNddTransaction.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "createNddTransaction"),
);

for (const field of Object.keys(contract.createNddTransaction.body.shape)) {
  observes(`createNddTransaction/${field}-omitted`, "N20", `a payment without ${field}`, {
    body: { [field]: undefined },
  });
}

check("createNddTransaction/ninth-field", { level: "OBSERVE", source: "N21" }, async (bench) => {
  await basisOf(bench, "createNddTransaction");
  const extra = Object.keys(bench.values.NDD_EXTRA_FIELDS ?? {}).toSorted();
  bench.observe(
    "N21",
    extra.length > 0
      ? `a payment is accepted with the eight documented fields and ${extra.join(", ")}`
      : "a payment is accepted with the eight documented fields alone",
  );
});

observes("createNddTransaction/channel-other", "N07", "a payment whose channel is not NDD", {
  body: { channel: "CONFORMANCE" },
});

discouragesCritically(
  "createNddTransaction/body-empty",
  { source: "N20" },
  { what: "the body is an empty object" },
  async (bench) => {
    bench.needProbeWrites();
    return attemptPatiently(bench, "createNddTransaction", {}, { bytes: "{}" });
  },
);

checkAmounts("createNddTransaction", [...NOT_POSITIVE, ...OUT_OF_SCALE]);
checkOverflow("createNddTransaction");

check("createNddTransaction/account-numbers", { level: "OBSERVE", source: "N13" }, async (bench) => {
  const answer = await basisOf(bench, "createNddTransaction");
  // Account numbers have ten digits (NUBAN) or more.
  const shown = /(?<![\w.])\d{10,}(?![\w.])/.test(JSON.stringify(answer.field("mandateResponse") ?? null));
  bench.observe(
    "N13",
    `mandateResponse ${shown ? "holds a number that may be a full account number" : "shows no full account number"}`,
  );
});

observeStatus("createNddTransaction", "N22");
refusesWithoutIdentifier("createNddTransaction", { source: "N22" });
