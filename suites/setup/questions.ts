import { firstIssue } from "../../fixtures/config/validation.ts";
import { type VariableName, variable } from "../../fixtures/config/variables.ts";
import { operations } from "../../schemas/contract.ts";
import { neededVariables } from "../../schemas/operation.ts";

/** A question of the setup: a variable, why it is worth an answer, and when it is asked. */
export interface Question {
  readonly name: VariableName;
  readonly why: string;
  readonly required?: true;
  /** Only asked if this variable is `true`. */
  readonly onlyIf?: VariableName;
}

const OPTIONAL: readonly VariableName[] = [
  "CUSTOMER_ID",
  "PLAN_ID",
  "QR_CHANNEL",
  "MCH_NO",
  "SUB_MCH_NO",
  "CARD_CHANNEL",
  "CARD_NUMBER",
  "CARD_EXPIRY_MONTH",
  "CARD_EXPIRY_YEAR",
  "CARD_CVV",
  "REFUNDABLE_TRANSACTIONS",
  "DISPUTE_TRANSACTION_REF",
  "BANK_CODE",
  "ACCOUNT_NUMBER",
  "ACCOUNT_NAME",
  "EMAIL_ADDRESS",
  "TRANSFER_AMOUNT",
  "PAGE_TYPE",
  "PAGE_ID",
  "PRODUCT_ID",
  "PRODUCT_IDS",
  "EXISTING_CUSTOM_LINK",
  "SPLIT_PAGE_ID",
  "SUB_ACCOUNT_ID",
  "SPLIT_SHARE",
  "DISCOUNT_TYPE",
  "DISCOUNT_UPDATE",
  "SUBSCRIPTION_ID",
  "SUBSCRIPTION_UPDATE",
];

/** Every question, in the order in which it is asked. */
export const QUESTIONS: readonly Question[] = [
  { name: "BASE_URL", why: "every check needs it", required: true },
  { name: "SECRET_KEY", why: "every check needs it", required: true },
  { name: "TARGET_NAME", why: "the reports and the ledger use it" },
  { name: "REVOKED_KEY", why: "the checks of a revoked key need it" },
  { name: "SECOND_SECRET_KEY", why: "the checks that separate two merchants need it" },
  { name: "PUBLISHABLE_KEY", why: "the checks of the publishable key need it" },
  ...OPTIONAL.map((name) => ({ name, why: whyOf(name) })),
  { name: "ALLOW_PAYOUTS", why: "without it no check that may move test money runs" },
  {
    name: "MAX_PAYOUTS",
    why: "a run stops before it exceeds this number",
    required: true,
    onlyIf: "ALLOW_PAYOUTS",
  },
  {
    name: "MAX_PAYOUT_TOTAL",
    why: "a run stops before it exceeds this sum",
    required: true,
    onlyIf: "ALLOW_PAYOUTS",
  },
  { name: "ALLOW_CREATE", why: "without it no check that creates pages or discount codes runs" },
];

function whyOf(name: VariableName): string {
  const users = operations.filter((operation) => neededVariables(operation).includes(name));
  return users.length > 0
    ? `needed by ${users.map(({ id }) => id).join(", ")}`
    : "needed by some of the checks";
}

/** A question as it is shown. */
export function render({ name, why, required }: Question): string {
  const { about, example, secret } = variable(name);
  const skip = required ? "" : "; press Enter to skip it";
  const hidden = secret ? "; your typing is not shown" : "";
  return `\n${name}: ${about}\n  (${why}; for example ${example}${skip}${hidden})\n> `;
}

/** What is wrong with an answer; `undefined` if it can be used. The answer is not repeated, since it may be a secret. */
export function problemOf({ name }: Question, answer: string): string | undefined {
  const parsed = variable(name).schema.safeParse(answer);
  return parsed.success ? undefined : `${name} ${firstIssue(parsed.error.issues)}`;
}
