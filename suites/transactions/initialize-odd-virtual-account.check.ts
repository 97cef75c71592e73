import { observes, shouldReject, shouldRejectCritically } from "../../fixtures/judge/check-families.ts";
import { fieldDefect } from "../../schemas/changes.ts";

for (const [name, amount] of [
  ["negative", "-100"],
  ["zero", "0"],
] as const) {
  shouldRejectCritically(`initializeVirtualAccount/amount-${name}`, ["R045"], fieldDefect("amount", amount));
}

for (const [name, amount] of [
  ["subunit-fraction", "100.50"],
  ["digit-grouping", "1,000"],
  ["exponent", "1e3"],
  ["hexadecimal", "0x10"],
] as const) {
  shouldReject(`initializeVirtualAccount/amount-${name}`, ["R042"], fieldDefect("amount", amount));
}

const THIRTY_DIGITS = fieldDefect("amount", "1".repeat(30), "amount has 30 digits");
shouldReject("initializeVirtualAccount/amount-of-30-digits", ["R042"], THIRTY_DIGITS);

const NO_ADDRESS = fieldDefect("email", "not-an-email", "email is not an address");
shouldReject("initializeVirtualAccount/email-malformed", ["R041", "R045"], NO_ADDRESS);

observes("initializeVirtualAccount/amount-surrounding-spaces", "G02", "an amount with blanks around it", {
  body: { amount: " 100 " },
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
