import { observes, shouldReject, shouldRejectCritically } from "../../fixtures/judge/check-families.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { describeChange } from "../../schemas/changes.ts";

const ID = "initializeVirtualAccount";

for (const [name, amount] of [
  ["negative", "-100"],
  ["zero", "0"],
] as const) {
  const change = { body: { amount } };
  const wrong = { what: describeChange(change), field: "amount" };
  shouldRejectCritically(`initializeVirtualAccount/amount-${name}`, ["R045"], wrong, (ctx) => {
    ctx.needProbeWrites();
    return sendInvalidWithRetry(ctx, ID, change);
  });
}

for (const [name, amount] of [
  ["subunit-fraction", "100.50"],
  ["surrounding-spaces", " 100 "],
  ["digit-grouping", "1,000"],
  ["exponent", "1e3"],
  ["hexadecimal", "0x10"],
] as const) {
  const change = { body: { amount } };
  const what = describeChange(change);
  shouldReject(`initializeVirtualAccount/amount-${name}`, ["R042"], { change, what, field: "amount" });
}

shouldReject("initializeVirtualAccount/amount-of-30-digits", ["R042"], {
  change: { body: { amount: "1".repeat(30) } },
  what: "amount has 30 digits",
  field: "amount",
});

shouldReject("initializeVirtualAccount/email-malformed", ["R041", "R045"], {
  change: { body: { email: "not-an-email" } },
  what: "email is not an address",
  field: "email",
});

observes("initializeVirtualAccount/email-of-300-characters", "N43", "an e-mail address of 300 characters", {
  body: { email: `${"a".repeat(288)}@example.com` },
});
observes("initializeVirtualAccount/email-plus", "N40", "an e-mail address with a plus sign", {
  body: { email: "payer+tag@example.com" },
});
observes("initializeVirtualAccount/email-unicode", "N40", "an e-mail address with a non-ASCII local part", {
  body: { email: "ọláìtán@example.com" },
});
