import { observes, shouldRejectCritically } from "../../fixtures/judge/check-families.ts";
import { check } from "../../fixtures/run/check.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { contract } from "../../schemas/contract.ts";
import { checkAmounts, checkOverflow, NOT_POSITIVE, OUT_OF_SCALE } from "./amounts.ts";
import { observeStatus, rejectsWithoutIdentifier } from "./observations.ts";

for (const field of Object.keys(contract.createNddTransaction.body.shape)) {
  observes(`createNddTransaction/${field}-omitted`, "N20", `a payment without ${field}`, {
    body: { [field]: undefined },
  });
}

check("createNddTransaction/ninth-field", "TITLE", { observe: "N21" }, async (ctx) => {
  await requireControl(ctx, "createNddTransaction");
  const extra = Object.keys(ctx.values.NDD_EXTRA_FIELDS ?? {}).toSorted();
  ctx.observe(
    "N21",
    extra.length > 0
      ? `a payment is accepted with the eight documented fields and ${extra.join(", ")}`
      : "a payment is accepted with the eight documented fields alone",
  );
});

observes("createNddTransaction/channel-other", "N07", "a payment whose channel is not NDD", {
  body: { channel: "CONFORMANCE" },
});

shouldRejectCritically(
  "createNddTransaction/body-empty",
  "N20",
  { what: "the body is an empty object" },
  async (ctx) => {
    ctx.needProbeWrites();
    return sendInvalidWithRetry(ctx, "createNddTransaction", {}, { bytes: "{}" });
  },
);

checkAmounts("createNddTransaction", [...NOT_POSITIVE, ...OUT_OF_SCALE]);
checkOverflow("createNddTransaction");

check("createNddTransaction/account-numbers", "TITLE", { observe: "N13" }, async (ctx) => {
  const answer = await requireControl(ctx, "createNddTransaction");
  // Account numbers have ten digits (NUBAN) or more.
  const shown = /(?<![\w.])\d{10,}(?![\w.])/.test(JSON.stringify(answer.field("mandateResponse") ?? null));
  ctx.observe(
    "N13",
    `mandateResponse ${shown ? "holds a number that may be a full account number" : "shows no full account number"}`,
  );
});

observeStatus("createNddTransaction", "N22");
rejectsWithoutIdentifier("createNddTransaction", "N22");
