import { z } from "zod";
import {
  anyValue,
  named,
  RejectedError,
  SessionFailure,
  SimpleError,
  TransactionFailure,
  Undocumented,
} from "../bodies.ts";
import { condition, operation } from "../operation.ts";
import { FRESH, FRESH_NOTE, given, givenCard, givenOr, INVENTED_EMAIL, IP_ADDRESS } from "../recipe.ts";

/** A card field, whose type is undocumented (section 4.3). */
const textOrNumber = z.union([z.string(), z.number()]);

const payment = {
  customerId: z.number(),
  planId: z.number(),
  channel: z.string(),
  amount: z.number(),
  ipAddress: z.string().optional(),
  fees: z.number().optional(),
  message: z.string().optional(),
  isLive: z.boolean().optional(),
};

const ordinaryPayment = {
  customerId: given("CUSTOMER_ID"),
  planId: given("PLAN_ID"),
  amount: givenOr("TRANSACTION_AMOUNT", 100),
  message: FRESH_NOTE,
};

/** Optional fields of every payment; `message` is among them, but every ordinary request has it. */
const optionalPayment = { ipAddress: IP_ADDRESS, fees: givenOr("FEES", 0), isLive: false };

const PAYMENT = {
  needsToAct: { customerId: "number", amount: "number" },
  stake: { field: "amount" },
  private: true,
  freeText: "message",
  free: { message: "note", amount: "amount", fees: "fee", ipAddress: "address", isLive: "notLive" },
} as const;

/** A body that can open an account: section 4.5 requires an address and an amount in digits. */
const OpenableAccount = z.looseObject({
  email: z.string(),
  amount: z.unknown().refine((amount) => /^[\s+-]*[\d.,]+(e\d+)?\s*$|^0x/i.test(String(amount))),
});

export const createQrTransaction = operation({
  endpoint: "POST /api/transaction-service/external/v1/transaction-with-qr",
  section: "4.2",
  noun: "a QR transaction",
  effect: "money",
  body: z.object({ ...payment, mch_no: z.string(), sub_mch_no: z.string() }),
  ordinary: {
    body: {
      ...ordinaryPayment,
      channel: given("QR_CHANNEL"),
      mch_no: given("MCH_NO"),
      sub_mch_no: given("SUB_MCH_NO"),
    },
  },
  optional: optionalPayment,
  ...PAYMENT,
  responses: {
    200: named("QrTransaction", {
      ReturnCode: z.string(),
      OrderSn: z.string(),
      CodeUrl: z.string(),
      orderNo: z.string(),
      transaction_id: z.number(),
    }),
    400: TransactionFailure,
  },
  success: { has: "transaction_id" },
  requirements: {
    success: ["R005", "R006", "R008", "R023", "R026", "R027", "R029", "R111"],
    required: ["R027", "R031", "R109", "R111"],
    types: ["R005", "R006"],
    rejection: ["R031", "R109"],
  },
});

export const createCardTransaction = operation({
  endpoint: "POST /api/transaction-service/external/v1/transaction-with-card",
  section: "4.3",
  noun: "a card transaction",
  effect: "money",
  body: z.object({
    ...payment,
    cardNumber: textOrNumber,
    expiryYear: textOrNumber,
    expiryMonth: textOrNumber,
    cvv: textOrNumber,
  }),
  ordinary: {
    body: {
      ...ordinaryPayment,
      channel: given("CARD_CHANNEL"),
      cardNumber: givenCard("CARD_NUMBER"),
      expiryYear: givenCard("CARD_EXPIRY_YEAR"),
      expiryMonth: givenCard("CARD_EXPIRY_MONTH"),
      cvv: givenCard("CARD_CVV"),
    },
  },
  optional: optionalPayment,
  ...PAYMENT,
  needsToAct: { cardNumber: "number", amount: "number" },
  responses: {
    any: named("CardTransaction", {
      message: z.string(),
      paymentDetails: anyValue(),
      transactionIdForSession: z.number(),
    }),
  },
  errorBody: SessionFailure,
  errorInFull: TransactionFailure,
  success: { has: "transactionIdForSession" },
  carriesCard: true,
  requirements: {
    success: ["R005", "R007", "R008", "R032", "R033", "R035"],
    required: ["R033", "R036", "R109"],
    types: ["R005", "R007"],
    rejection: ["R036", "R109"],
  },
});

export const createNddTransaction = operation({
  endpoint: "POST /api/transaction-service/external/v1/transaction-with-ndd",
  section: "4.4",
  noun: "an NDD transaction",
  effect: "money",
  // The specification does not say which fields are required, and does not name the ninth one.
  body: z.object(payment).partial(),
  // No field is marked as required, so a valid request sends all eight documented ones.
  ordinary: {
    body: [
      { ...ordinaryPayment, ...optionalPayment, channel: givenOr("NDD_CHANNEL", "NDD") },
      givenOr("NDD_EXTRA_FIELDS", {}),
    ],
  },
  ...PAYMENT,
  responses: {
    any: named("NddTransaction", {
      message: z.string(),
      mandateResponse: anyValue(),
      transactionIdForSessionForSession: z.number(),
    }),
  },
  errorBody: SessionFailure,
  errorInFull: TransactionFailure,
  success: { has: "transactionIdForSessionForSession" },
  requirements: {
    success: ["R005", "R008", "R037", "R038"],
    types: ["R005", "R037"],
    rejection: ["R039", "R109"],
  },
});

/** A field with a value that no reading makes valid: 422 with error shape B (section 4.5). */
const invalidAccount = (id: string, field: "email" | "amount" | "reference", value: unknown) =>
  condition(id, { body: { [field]: value } }, 422, [
    ({ email: "R041", amount: "R042", reference: "R043" } as const)[field],
    "R045",
    "R108",
  ]);

export const initializeVirtualAccount = operation({
  endpoint: "POST /api/transaction-service/external/v1/transaction-initialize/dva",
  section: "4.5",
  noun: "a virtual-account request",
  effect: "money",
  body: z.object({
    email: z.string(),
    amount: z.string().describe("In the currency's subunit (for NGN, kobo)"),
    reference: z.string().optional().describe("Unique per attempt; generated when omitted"),
  }),
  takes: {
    field: "reference",
    late: [{ what: "its amount is not a number", change: { body: { amount: "abc" } } }],
  },
  ordinary: {
    body: {
      email: givenOr("VIRTUAL_ACCOUNT_EMAILS", givenOr("EMAIL_ADDRESS", INVENTED_EMAIL), { member: "0" }),
      amount: givenOr("DVA_AMOUNT", "100000"),
      reference: FRESH,
    },
  },
  fresh: "accountReference",
  private: true,
  needsToAct: { email: "text", amount: "number" },
  stake: { field: "amount", unit: "subunit", onlyIf: OpenableAccount },
  free: { reference: "fresh", amount: "subunits" },
  responses: {
    200: named("VirtualAccount", { status: z.boolean(), message: z.string(), data: anyValue() }),
    422: RejectedError,
  },
  success: { equals: { field: "status", value: true } },
  bound: [
    condition("email-missing", { body: { email: undefined } }, 422, ["R041", "R045", "R108"]),
    condition("amount-missing", { body: { amount: undefined } }, 422, ["R042", "R045", "R108"]),
    condition("body-empty", { body: { email: undefined, amount: undefined, reference: undefined } }, 422, [
      "R041",
      "R042",
      "R045",
    ]),
    invalidAccount("email-null", "email", null),
    invalidAccount("email-object", "email", {}),
    invalidAccount("amount-null", "amount", null),
    invalidAccount("amount-object", "amount", {}),
    invalidAccount("amount-abc", "amount", "abc"),
    invalidAccount("amount-1e3x", "amount", "1e3x"),
    invalidAccount("reference-object", "reference", {}),
  ],
  requirements: {
    success: ["R017", "R023", "R040", "R044", "R111"],
    required: ["R041", "R042", "R045"],
    types: ["R017", "R042", "R045"],
    rejection: ["R045", "R108"],
  },
});

export const refundTransaction = operation({
  endpoint: "POST /api/transaction-service/external/v1/refund-transaction",
  section: "4.6",
  noun: "a refund",
  effect: "money",
  body: z.object({ transactionRef: z.string(), amount: z.number() }).partial(),
  ordinary: { body: { transactionRef: FRESH, amount: 100 } },
  singleUse: { entryOf: "REFUNDABLE_TRANSACTIONS" },
  needsToAct: { transactionRef: "record" },
  fieldProbes: "strict",
  // No transaction can be found by a transactionRef of another type, nor for an unknown one (404).
  refuses: ["transactionRef", "amount"],
  responses: {
    200: z.strictObject({}).meta({ id: "Refunded", description: "An empty JSON object" }),
    404: SimpleError,
    500: Undocumented,
  },
  tolerated: z.looseObject({}),
  bound: [
    {
      id: "transaction-unknown",
      what: "no transaction has this transactionRef",
      change: { body: { transactionRef: FRESH, amount: 100 } },
      status: 404,
      requirements: ["R009", "R048", "R110"],
    },
  ],
  requirements: {
    success: ["R009", "R046", "R047", "R111"],
    types: ["R009", "R046"],
    rejection: ["R048", "R110"],
  },
});
