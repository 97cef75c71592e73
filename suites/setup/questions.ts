import { firstIssue, validate } from "../../fixtures/engine/config/validation.ts";
import { sampleOf, type VariableName, variable } from "../../fixtures/engine/config/variables.ts";
import { plural } from "../../reports/wording.ts";
import { operations } from "../../schemas/contract.ts";
import { neededVariables } from "../../schemas/operation.ts";
import { readChecklist, select } from "../runner/checklist.ts";

/** Variables of one subject, which one answer can skip; without a title, each is asked. */
export interface Group {
  readonly title?: string;
  readonly names: readonly VariableName[];
}

/** All that a complete run needs, in the order in which it is asked. */
// biome-ignore format: a table, one subject a line
export const GROUPS: readonly Group[] = [
  { names: ["BASE_URL", "SECRET_KEY", "TARGET_NAME", "OUT_OF_SCOPE", "SETTLE_SECONDS"] },
  { title: "More keys", names: ["REVOKED_KEY", "SECOND_SECRET_KEY", "PUBLISHABLE_KEY"] },
  { title: "The live deployment", names: ["LIVE_BASE_URL"] },
  { title: "Payments by QR code, card and direct debit", names: ["CUSTOMER_ID", "PLAN_ID"] },
  { title: "Payments by QR code", names: ["QR_CHANNEL", "MCH_NO", "SUB_MCH_NO"] },
  { title: "Payments by card", names: ["CARD_CHANNEL", "CARD_NUMBER", "CARD_IS_TEST", "CARD_EXPIRY_MONTH", "CARD_EXPIRY_YEAR", "CARD_CVV", "DECLINING_CARD_NUMBER"] },
  { title: "Refunds", names: ["REFUNDABLE_TRANSACTIONS"] },
  { title: "Disputes", names: ["DISPUTE_TRANSACTION_REF"] },
  { title: "Transfers", names: ["BANK_CODE", "BANK_NAME", "ACCOUNT_NUMBER", "ACCOUNT_NAME", "EMAIL_ADDRESS", "TRANSFER_AMOUNT", "SECOND_ACCOUNT_NUMBER", "BLOCKED_TRANSFER"] },
  { title: "Recipients and customers", names: ["ACTIVE_RECIPIENT_NAME", "INACTIVE_RECIPIENT_NAME", "CUSTOMER_SEARCH"] },
  { title: "Pages", names: ["PAGE_TYPE", "EXISTING_CUSTOM_LINK", "PAGE_ID", "PRODUCT_IDS"] },
  { title: "Split pages", names: ["SPLIT_PAGE_ID", "SUB_ACCOUNT_ID", "SPLIT_SHARE"] },
  { title: "Discount codes", names: ["PRODUCT_ID", "DISCOUNT_TYPE", "DISCOUNT_UPDATE"] },
  { title: "Subscriptions", names: ["SUBSCRIPTION_ID", "SUBSCRIPTION_UPDATE", "SUBSCRIPTION_EXPENDABLE"] },
  { names: ["ALLOW_CREATE", "PROBE_WRITES", "ALLOW_PAYOUTS", "MAX_PAYOUTS", "MAX_PAYOUT_TOTAL"] },
];

/** Asked only if payouts are allowed, and needed then. */
export const CAPS: readonly VariableName[] = ["MAX_PAYOUTS", "MAX_PAYOUT_TOTAL"];

export const REQUIRED: readonly VariableName[] = ["BASE_URL", "SECRET_KEY", ...CAPS];

/** The checks that need a variable which no ordinary request has. */
// biome-ignore format: a table, one variable a line
const CHECKS_OF: Readonly<Partial<Record<VariableName, readonly string[]>>> = {
  REVOKED_KEY: ["*/auth/revoked-key*"],
  SECOND_SECRET_KEY: ["*/other-merchant*", "*/merchants-are-apart", "*/two-merchants"],
  PUBLISHABLE_KEY: ["*/auth/publishable-key"],
  LIVE_BASE_URL: ["*/environment/test-key-refused-by-live"],
  DECLINING_CARD_NUMBER: ["*/declining-card", "*/after-declined-cards"],
  BLOCKED_TRANSFER: ["*/blocked-is-not-paid"],
  SECOND_ACCOUNT_NUMBER: ["createTransfer/idempotency/other-account"],
  ACTIVE_RECIPIENT_NAME: ["listRecipients/search-finds-active", "listRecipients/search-semantics", "listRecipients/status-means-active"],
  INACTIVE_RECIPIENT_NAME: ["listRecipients/search-finds-inactive"],
  CUSTOMER_SEARCH: ["listCustomers/search-finds"],
  EXISTING_CUSTOM_LINK: ["checkCustomLink/link-*"],
  PRODUCT_ID: ["listDiscountCodes/product*", "listDiscountCodes/filters-combined"],
  SUBSCRIPTION_EXPENDABLE: ["updateSubscription/*/type-lenient"],
  ALLOW_PAYOUTS: operations.filter(({ effect }) => effect === "money").map(({ id }) => id),
  ALLOW_CREATE: operations.filter(({ effect }) => effect === "create").map(({ id }) => id),
};

const checks = readChecklist();

const usersOf = (name: VariableName) =>
  operations.filter((operation) => neededVariables(operation).includes(name)).map(({ id }) => id);

/** Whether everything that needs a variable was declared out of scope. */
export function isOutOfScope(name: VariableName, outOfScope: readonly string[]): boolean {
  const users = usersOf(name);
  return (
    outOfScope.includes(variable(name).scope ?? "") ||
    (users.length > 0 && users.every((id) => outOfScope.includes(id)))
  );
}

/** How many checks cannot do all they do without these variables: `up to 56 checks`; `undefined` if that is unknown. */
export function costOf(names: readonly VariableName[], outOfScope: readonly string[]): string | undefined {
  if (names.includes("PROBE_WRITES"))
    return `at least ${plural(checks.filter(({ probe }) => probe).length, "check")}`;
  const patterns = names.flatMap((name) => [...usersOf(name), ...(CHECKS_OF[name] ?? [])]);
  const needing = patterns.length > 0 ? select(checks, patterns) : [];
  const left = needing.filter(({ operation }) => !outOfScope.includes(operation));
  return left.length > 0 ? `up to ${plural(left.length, "check")}` : undefined;
}

/** A question as it is shown; `hint` says more about the value. */
export function render(name: VariableName, outOfScope: readonly string[], hint = ""): string {
  const { secret, default: standard } = variable(name);
  const cost = costOf([name], outOfScope);
  const skip = `; press Enter to ${standard === undefined ? "skip it" : "keep the default"}${cost ? `, which leaves ${cost} untested` : ""}`;
  const hidden = secret ? "; your typing is not shown" : "";
  return `\n${name}: ${variable(name).about}\n  (${sampleOf(name)}${REQUIRED.includes(name) ? "" : skip}${hidden}${hint})\n> `;
}

/** What is wrong with an answer; `undefined` if it can be used. The answer is not repeated, since it may be a secret. */
export function problemOf(
  name: VariableName,
  answer: string,
  known: Readonly<Record<string, string>>,
): string | undefined {
  const parsed = variable(name).schema.safeParse(answer);
  if (!parsed.success) return `${name} ${firstIssue(parsed.error.issues)}`;
  if (name !== "OUT_OF_SCOPE") return undefined;
  return validate({ ...known, [name]: answer }).problems.find((problem) => problem.startsWith(name));
}
