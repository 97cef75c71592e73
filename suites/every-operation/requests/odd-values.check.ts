import { dateIn } from "../../../fixtures/engine/http/invented.ts";
import type { Rules } from "../../../fixtures/engine/run/check.ts";
import {
  type CheckContext,
  check,
  consentToLenience,
  demandNotDone,
  observes,
  rejects,
  skip,
} from "../../../fixtures/engine/vocabulary.ts";
import { defectOf, rejectionTitle } from "../../../schemas/changes.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import type { OpenItemId } from "../../../schemas/open-items.ts";
import { FRESH, UNKNOWN_ID } from "../../../schemas/recipe.ts";
import { cardField, needRecord, wrappedId } from "../requests.ts";

type Body = Readonly<Record<string, unknown>>;
/** The odd fields of a body, the one at fault first. */
type Odd = Body | ((ctx: CheckContext) => Body);
type Table<Row> = Readonly<Partial<Record<OperationId, readonly Row[]>>>;
/** A check, what it rests on, and what is wrong, which may be left out where the fields say it. */
type Wrong = readonly [name: string, rules: Rules, odd: Odd, what?: string];

const LINK = "redirectAfterPaymentLink";
const LONG_ADDRESS = `${"a".repeat(288)}@example.com`;
const NO_FIELD = {
  pageType: undefined,
  pageName: undefined,
  pageDescription: undefined,
  customLink: undefined,
};

const withFixed = (amount: unknown) => ({ fixedPaymentAmount: amount, isFixedPaymentAmount: true });
const withLink =
  (write: (fresh: string) => string): Odd =>
  ({ run }) => ({ customLink: write(run.builder.fresh()) });
const withCard =
  (field: string, text: string): Odd =>
  ({ values }) => ({ [field]: cardField(values, text) });
const products = (ctx: CheckContext) => ctx.need("PRODUCT_IDS").split(",");

/** What only good practice says must be rejected, without a crash. */
const REJECTED: Table<Wrong> = {
  addPageProducts: [
    ["productIds-empty", ["R064"], { productIds: "" }, "productIds is empty"],
    ["productIds-with-gap", ["R064"], withGap, "productIds has an empty entry"],
    ["productIds-letters", ["R064"], { productIds: "a,b" }, "productIds has letters"],
    ["productIds-unknown", ["R064"], { productIds: `${UNKNOWN_ID}` }, "no product has the id in productIds"],
    ["pageId-omitted", ["R064"], { pageId: undefined }],
    ["productIds-omitted", ["R064"], { productIds: undefined }],
  ],
  addSplitSubaccount: [
    ["shere-omitted", ["R051"], { shere: undefined }],
    ["sub_account_id-omitted", ["R051"], { sub_account_id: undefined }],
    ["shere-fraction", ["R051"], { shere: 1.5 }],
    ["shere-zero", ["R051"], { shere: 0 }],
    ["shere-negative", ["R051"], { shere: -5 }],
    ["shere-above-100", ["R051"], { shere: 101 }],
  ],
  createDiscountCode: [
    ["value-negative", "G02", { value: -1 }],
    ["value-zero", "G02", { value: 0 }],
    ["maxClaims-negative", "G02", { maxClaims: -1 }],
    ["maxClaims-fraction", "G02", { maxClaims: 1.5 }],
    ["dates-reversed", "practice", reversedDates, "endDate is before startDate"],
  ],
  createPaymentPage: [
    ["fixedPaymentAmount-letters", ["R015"], withFixed("abc"), 'fixedPaymentAmount is "abc"'],
    ["fixedPaymentAmount-negative", "G02", withFixed(-1), "fixedPaymentAmount is -1"],
    ["fixedPaymentAmount-zero", "G02", withFixed(0), "fixedPaymentAmount is 0"],
    ["planId-letters", ["R015"], { planId: "abc" }],
    ["isPhoneNumber-maybe", ["R015"], { isPhoneNumber: "maybe" }],
    ["sendNotificationsToEmail-malformed", "practice", { sendNotificationsToEmail: "x" }],
    ["customLink-climbing", "practice", withLink((fresh) => `../${fresh}`), "customLink begins with ../"],
  ],
  createCardTransaction: [
    ["cvv-of-2-digits", "practice", withCard("cvv", "12"), "cvv has 2 digits"],
    ["cvv-of-5-digits", "practice", withCard("cvv", "12345"), "cvv has 5 digits"],
  ],
  createTransfer: [
    ["bankCode-letters", "N40", { bankCode: "NOBANK" }],
    ["accountNumber-of-3-digits", "practice", { accountNumber: "123" }],
    ["accountNumber-letters", "practice", { accountNumber: "ABCDEFGHIJ" }],
    ["emailAddress-malformed", "practice", { emailAddress: "x" }],
    ["accountNumber-number", ["R083"], asNumber, "accountNumber is a number, which loses leading zeros"],
  ],
  initializeVirtualAccount: [
    ["amount-subunit-fraction", ["R042"], { amount: "100.50" }],
    ["amount-digit-grouping", ["R042"], { amount: "1,000" }],
    ["amount-exponent", ["R042"], { amount: "1e3" }],
    ["amount-hexadecimal", ["R042"], { amount: "0x10" }],
    ["amount-of-30-digits", ["R042"], { amount: "1".repeat(30) }, "amount has 30 digits"],
    ["email-malformed", ["R041", "R045"], { email: "not-an-email" }, "email is not an address"],
  ],
  updateSubscription: [
    ["nextPaymentDate-impossible", ["R013", "R098"], { nextPaymentDate: "2024-02-30" }],
    ["nextPaymentDate-with-slashes", ["R013", "R098"], { nextPaymentDate: "31/12/2030" }],
    ["nextPaymentDate-with-time", ["R013", "R098"], { nextPaymentDate: "2030-12-31T10:00:00Z" }],
  ],
};

/** The same for what is worth knowing apart from a crash: card data and the payers of a page are concerned. */
// biome-ignore format: a table
const REJECTED_APART: Table<Wrong> = {
  createPaymentPage: [
    ["redirect-script", "OWASP API8", { [LINK]: "javascript:alert(1)" }, `${LINK} is a script`],
  ],
  createCardTransaction: [
    ["check-digit-wrong", "practice", withCard("cardNumber", "4111111111111112"), "cardNumber has a wrong check digit"],
    ["number-of-12-digits", "practice", withCard("cardNumber", "411111111111"), "cardNumber has 12 digits"],
    ["number-of-20-digits", "practice", withCard("cardNumber", "41111111111111111111"), "cardNumber has 20 digits"],
    ["number-with-letters", "practice", withCard("cardNumber", "4111abcd11111111"), "cardNumber has letters"],
    ["month-0", "practice", withCard("expiryMonth", "0"), "expiryMonth is 0"],
    ["month-13", "practice", withCard("expiryMonth", "13"), "expiryMonth is 13"],
    ["year-past", "practice", pastYear, "the card expired in 2020"],
  ],
  initializeVirtualAccount: [
    ["amount-negative", ["R045"], { amount: "-100" }],
    ["amount-zero", ["R045"], { amount: "0" }],
  ],
  updateSubscription: [["amount-negative", "G02", { amount: -1 }]],
};

/** What the specification lets a deployment accept or reject. */
// biome-ignore format: a table
const OPEN: Table<readonly [name: string, item: OpenItemId, what: string, odd: Odd]> = {
  addPageProducts: [
    ["productIds-array", "N40", "productIds as an array", (ctx) => ({ productIds: products(ctx) })],
  ],
  createDiscountCode: [
    ["maxClaims-zero", "G02", "a discount code whose maxClaims is 0", { maxClaims: 0 }],
    ["percentage-above-100", "G02", "a discount code of 101 percent", above100],
    ["active-and-deleted", "N40", "a discount code that is active and deleted", { isActive: true, isDelete: true }],
    // Section 4.19 writes the name of this field with a trailing colon.
    ["productId-with-colon", "G08", 'a discount code with the field "productId:"', withColon],
  ],
  createPaymentPage: [
    ["redirect-http", "N40", "a redirect to an http address", { [LINK]: "http://example.com/" }],
    ["fixed-amount-missing", "N40", "isFixedPaymentAmount without fixedPaymentAmount", { isFixedPaymentAmount: true }],
    ["extraInformation-repeated", "G15", "extraInformation as a repeated part", { extraInformation: ["Size", "Colour"] }],
    ["extraInformation-json", "G15", "extraInformation as a JSON array", { extraInformation: '["Size","Colour"]' }],
    ["pageName-html", "N40", "a pageName with HTML", { pageName: "<b>payments-conformance</b>" }],
    ["form-empty", "N40", "a payment page without any field", NO_FIELD],
    ["pageType-omitted", "N40", "a payment page without pageType", { pageType: undefined }],
    ["customLink-omitted", "N40", "a payment page without customLink", { customLink: undefined }],
    ["seoImage-text", "N29", "a seoImage that is text instead of a file", { seoImage: FRESH }],
    ["customLink-with-spaces", "N40", "a customLink with spaces", withLink((fresh) => `${fresh} and more`)],
    ["customLink-of-300-characters", "N43", "a customLink of 300 characters", withLink((fresh) => fresh.padEnd(300, "x"))],
  ],
  createNddTransaction: [
    ...Object.keys(contract.createNddTransaction.body.shape).map(
      (field) =>
        [`${field}-omitted`, "N20", `an NDD transaction without ${field}`, { [field]: undefined }] as const,
    ),
    ["channel-other", "N07", "an NDD transaction whose channel is not NDD", { channel: "CONFORMANCE" }],
  ],
  createQrTransaction: [
    ["fees-negative", "G02", "a QR transaction with fees of -1", { fees: -1 }],
    ["fees-above-amount", "G02", "a QR transaction with fees above its amount", feesAboveAmount],
    ["channel-unknown", "N07", "a QR transaction with an invented channel", { channel: "CONFORMANCE" }],
    ["ip-address-invalid", "N40", "a QR transaction whose ipAddress is not an IP address", { ipAddress: "not an ip" }],
  ],
  initializeVirtualAccount: [
    ["amount-surrounding-spaces", "G02", "an amount with blanks around it", { amount: " 100 " }],
    ["email-of-300-characters", "N43", "an e-mail address of 300 characters", { email: LONG_ADDRESS }],
    ["email-plus", "N40", "an e-mail address with a plus sign", { email: "payer+tag@example.com" }],
    ["email-unicode", "N40", "an e-mail address with a non-ASCII local part", { email: "ọláìtán@example.com" }],
  ],
  updateSubscription: [
    ["body-empty", "N40", "a subscription update without any field", withoutUpdate],
    ["status-invented", "N12", "an invented status", { status: "conformance" }],
  ],
};

const changeTo = (odd: Odd) =>
  typeof odd === "function" ? (ctx: CheckContext) => ({ body: odd(ctx) }) : { body: odd };

function wrongOf(odd: Odd, what = defectOf({ body: odd as Body }).what) {
  return { change: changeTo(odd), what };
}

function withGap(ctx: CheckContext): Body {
  const [product] = products(ctx);
  return { productIds: `${product},,${product}` };
}

function reversedDates({ values: { DISCOUNT_DATE_FORMAT: form } }: CheckContext): Body {
  return { endDate: dateIn(1, form), startDate: dateIn(30, form) };
}

/** The operator's account as a number; 123, which no account has, if that number would name another account. */
function asNumber({ values: { ACCOUNT_NUMBER: account } }: CheckContext): Body {
  const isSame = account !== undefined && String(Number(account)) === account;
  return { accountNumber: isSame ? Number(account) : 123 };
}

function pastYear({ values }: CheckContext): Body {
  return { expiryYear: cardField(values, values.CARD_EXPIRY_YEAR?.length === 2 ? "20" : "2020") };
}

function above100(ctx: CheckContext): Body {
  if (!/percent|%/i.test(ctx.need("DISCOUNT_TYPE")))
    skip("set DISCOUNT_TYPE to a percentage: 101 is an ordinary value of any other type", "variable", [
      "DISCOUNT_TYPE",
    ]);
  return { value: 101 };
}

function withColon({ values }: CheckContext): Body {
  return { "productId:": values.PRODUCT_ID ?? 1 };
}

function feesAboveAmount({ values }: CheckContext): Body {
  return { fees: (values.TRANSACTION_AMOUNT ?? 100) * 2 };
}

function withoutUpdate({ values }: CheckContext): Body {
  return Object.fromEntries(Object.keys(values.SUBSCRIPTION_UPDATE ?? {}).map((name) => [name, undefined]));
}

for (const { id } of operations) {
  const before = (ctx: CheckContext) => needRecord(ctx, id);
  for (const [name, rules, odd, what] of REJECTED[id] ?? [])
    rejects(`${id}/${name}`, { should: rules }, { ...wrongOf(odd, what), before });
  for (const [name, rules, odd, what] of REJECTED_APART[id] ?? [])
    rejects(`${id}/${name}`, { should: rules }, { ...wrongOf(odd, what), before, apart: true });
  for (const [name, item, what, odd] of OPEN[id] ?? [])
    observes(`${id}/${name}`, item, what, changeTo(odd), before);
}

// An id that is read into 32 bits without a check names another record.
for (const [id, part, field, rule] of [
  ["createQrTransaction", "body", "customerId", "R006"],
  ["createQrTransaction", "body", "planId", "R006"],
  ["createCardTransaction", "body", "customerId", "R007"],
  ["createCardTransaction", "body", "planId", "R007"],
  ["createNddTransaction", "body", "customerId", "R037"],
  ["createNddTransaction", "body", "planId", "R037"],
  ["createDiscountCode", "body", "productId", "R014"],
  ["updateSubscription", "path", "id", "R099"],
  ["addSplitSubaccount", "path", "id", "R053"],
  ["addPageProducts", "body", "pageId", "R066"],
] as const) {
  const what = `${field} is an existing one plus 2^32`;
  check(
    `${id}/${field}-wrapped`,
    rejectionTitle(contract[id].noun, what),
    { critical: [rule], probe: true, ...consentToLenience(id, 2) },
    async (ctx) => {
      // The id may be another record's, if nothing is cut off.
      ctx.needProbeWrites();
      await ctx.ordinary(id);
      const known = { ...ctx.run.builder.optional(id), ...ctx.draft(id)[part] }[field];
      const sendWith = (value: number) => ctx.sendInvalid(id, { [part]: { [field]: value } });
      const response = await sendWith(wrappedId(known));
      if (response.looksAccepted) {
        const unknown = await sendWith(UNKNOWN_ID);
        if (unknown.handling !== "rejected") skip(`a ${field} that does not exist ${unknown.fate} too`);
      }
      demandNotDone(response, what);
    },
  );
}
