import { firstIssue, validate } from "../../fixtures/engine/config/validation.ts";
import { sampleOf, type VariableName, variable } from "../../fixtures/engine/config/variables.ts";
import { plural } from "../../reports/wording.ts";
import { operations } from "../../schemas/contract.ts";
import { neededVariables } from "../../schemas/operation.ts";
import { readChecklist, select } from "../runner/checklist.ts";

/** A question of the setup: a variable, and when it is asked. */
export interface Question {
  readonly name: VariableName;
  readonly required?: true;
  /** Only asked if this variable is `true`. */
  readonly onlyIf?: VariableName;
}

/** Questions about one subject, which one answer can skip. */
export interface Group {
  /** Without it, each question is asked: they are needed, or they are permissions. */
  readonly title?: string;
  readonly questions: readonly Question[];
}

const about = (title: string, ...names: readonly VariableName[]): Group => ({
  title,
  questions: names.map((name) => ({ name })),
});

/** Every question, in the order in which it is asked: all that a complete run needs. */
export const GROUPS: readonly Group[] = [
  {
    questions: [
      { name: "BASE_URL", required: true },
      { name: "SECRET_KEY", required: true },
      { name: "TARGET_NAME" },
      { name: "OUT_OF_SCOPE" },
      { name: "SETTLE_SECONDS" },
    ],
  },
  about("More keys", "REVOKED_KEY", "SECOND_SECRET_KEY", "PUBLISHABLE_KEY"),
  about("The live deployment", "LIVE_BASE_URL"),
  about("Payments by QR code, card and direct debit", "CUSTOMER_ID", "PLAN_ID"),
  about("Payments by QR code", "QR_CHANNEL", "MCH_NO", "SUB_MCH_NO"),
  about(
    "Payments by card",
    "CARD_CHANNEL",
    "CARD_NUMBER",
    "CARD_IS_TEST",
    "CARD_EXPIRY_MONTH",
    "CARD_EXPIRY_YEAR",
    "CARD_CVV",
    "DECLINING_CARD_NUMBER",
  ),
  about("Refunds", "REFUNDABLE_TRANSACTIONS"),
  about("Disputes", "DISPUTE_TRANSACTION_REF"),
  about(
    "Transfers",
    "BANK_CODE",
    "BANK_NAME",
    "ACCOUNT_NUMBER",
    "ACCOUNT_NAME",
    "EMAIL_ADDRESS",
    "TRANSFER_AMOUNT",
    "SECOND_ACCOUNT_NUMBER",
    "BLOCKED_TRANSFER",
  ),
  about("Recipients and customers", "ACTIVE_RECIPIENT_NAME", "INACTIVE_RECIPIENT_NAME", "CUSTOMER_SEARCH"),
  about("Pages", "PAGE_TYPE", "EXISTING_CUSTOM_LINK", "PAGE_ID", "PRODUCT_IDS"),
  about("Split pages", "SPLIT_PAGE_ID", "SUB_ACCOUNT_ID", "SPLIT_SHARE"),
  about("Discount codes", "PRODUCT_ID", "DISCOUNT_TYPE", "DISCOUNT_UPDATE"),
  about("Subscriptions", "SUBSCRIPTION_ID", "SUBSCRIPTION_UPDATE", "SUBSCRIPTION_EXPENDABLE"),
  {
    questions: [
      { name: "ALLOW_CREATE" },
      { name: "PROBE_WRITES" },
      { name: "ALLOW_PAYOUTS" },
      { name: "MAX_PAYOUTS", required: true, onlyIf: "ALLOW_PAYOUTS" },
      { name: "MAX_PAYOUT_TOTAL", required: true, onlyIf: "ALLOW_PAYOUTS" },
    ],
  },
];

/** The checks that need a variable which no ordinary request has. */
const CHECKS_OF: Readonly<Partial<Record<VariableName, readonly string[]>>> = {
  REVOKED_KEY: ["*/auth/revoked-key*"],
  SECOND_SECRET_KEY: ["*/other-merchant", "*/merchants-are-apart", "*/two-merchants"],
  PUBLISHABLE_KEY: ["*/auth/publishable-key"],
  LIVE_BASE_URL: ["*/environment/test-key-refused-by-live"],
  DECLINING_CARD_NUMBER: ["*/declining-card"],
  BLOCKED_TRANSFER: ["*/blocked-is-not-paid"],
  SECOND_ACCOUNT_NUMBER: ["createTransfer/idempotency/other-account"],
  ACTIVE_RECIPIENT_NAME: [
    "listRecipients/search-finds-active",
    "listRecipients/search-semantics",
    "listRecipients/status-means-active",
  ],
  INACTIVE_RECIPIENT_NAME: ["listRecipients/search-finds-inactive"],
  CUSTOMER_SEARCH: ["listCustomers/search-finds"],
  EXISTING_CUSTOM_LINK: ["checkCustomLink/link-*"],
  PRODUCT_ID: ["listDiscountCodes/product*", "listDiscountCodes/filters-combined"],
  SUBSCRIPTION_EXPENDABLE: ["updateSubscription/*/coercion", "updateSubscription/*/type-lenient"],
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
export function render({ name, required }: Question, outOfScope: readonly string[], hint = ""): string {
  const { secret, default: standard } = variable(name);
  const cost = costOf([name], outOfScope);
  const skip = `; press Enter to ${standard === undefined ? "skip it" : "keep the default"}${cost ? `, which leaves ${cost} untested` : ""}`;
  const hidden = secret ? "; your typing is not shown" : "";
  return `\n${name}: ${variable(name).about}\n  (${sampleOf(name)}${required ? "" : skip}${hidden}${hint})\n> `;
}

/** What is wrong with an answer; `undefined` if it can be used. The answer is not repeated, since it may be a secret. */
export function problemOf(
  { name }: Question,
  answer: string,
  known: Readonly<Record<string, string>>,
): string | undefined {
  const parsed = variable(name).schema.safeParse(answer);
  if (!parsed.success) return `${name} ${firstIssue(parsed.error.issues)}`;
  if (name !== "OUT_OF_SCOPE") return undefined;
  return validate({ ...known, [name]: answer }).problems.find((problem) => problem.startsWith(name));
}
