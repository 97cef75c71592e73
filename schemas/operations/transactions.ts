import { z } from "zod";
import { RejectedError, SimpleError, TransactionFailure } from "../errors.ts";
import { FRESH, operation } from "../operation.ts";
import { anyValue, textOrNumber } from "../values.ts";

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

export const createQrTransaction = operation(
  "POST /api/transaction-service/external/v1/transaction-with-qr",
  {
    id: "createQrTransaction",
    section: "4.2",
    summary: "Transaction with QR code",
    effect: "money",
    contentType: "application/json",
    body: z.object({ ...payment, mch_no: z.string(), sub_mch_no: z.string() }),
    needs: ["CUSTOMER_ID", "PLAN_ID", "QR_CHANNEL", "MCH_NO", "SUB_MCH_NO"],
    responses: {
      200: z
        .object({
          ReturnCode: z.string(),
          OrderSn: z.string(),
          CodeUrl: z.string(),
          orderNo: z.string(),
          transaction_id: z.number(),
        })
        .meta({ id: "QrTransaction" }),
      400: TransactionFailure,
    },
    success: { status: 200, has: "transaction_id" },
    bound: [],
    requirements: {
      success: ["R005", "R006", "R008", "R023", "R026", "R027", "R029", "R111"],
      required: ["R027", "R031", "R109", "R111"],
      types: ["R005", "R006"],
      refusal: ["R031", "R109"],
    },
  },
);

export const createCardTransaction = operation(
  "POST /api/transaction-service/external/v1/transaction-with-card",
  {
    id: "createCardTransaction",
    section: "4.3",
    summary: "Transaction with card",
    effect: "money",
    contentType: "application/json",
    body: z.object({
      ...payment,
      cardNumber: textOrNumber(),
      expiryYear: textOrNumber(),
      expiryMonth: textOrNumber(),
      cvv: textOrNumber(),
    }),
    needs: [
      "CUSTOMER_ID",
      "PLAN_ID",
      "CARD_CHANNEL",
      "CARD_NUMBER",
      "CARD_EXPIRY_MONTH",
      "CARD_EXPIRY_YEAR",
      "CARD_CVV",
    ],
    responses: {
      any: z
        .object({
          message: z.string(),
          paymentDetails: anyValue(),
          transactionIdForSession: z.number(),
        })
        .meta({ id: "CardTransaction" }),
    },
    refusal: TransactionFailure,
    success: { status: "2xx", has: "transactionIdForSession" },
    carriesCard: true,
    bound: [],
    requirements: {
      success: ["R005", "R007", "R008", "R032", "R033", "R035"],
      required: ["R033", "R036", "R109"],
      types: ["R005", "R007"],
      refusal: ["R036", "R109"],
    },
  },
);

export const createNddTransaction = operation(
  "POST /api/transaction-service/external/v1/transaction-with-ndd",
  {
    id: "createNddTransaction",
    section: "4.4",
    summary: "Transaction with NDD (direct-debit mandate)",
    effect: "money",
    contentType: "application/json",
    // Which of the fields are required is not shown, and a ninth documented field is not named.
    body: z.object(payment).partial(),
    needs: ["CUSTOMER_ID", "PLAN_ID"],
    responses: {
      any: z
        .object({
          message: z.string(),
          mandateResponse: anyValue(),
          transactionIdForSessionForSession: z.number(),
        })
        .meta({ id: "NddTransaction" }),
    },
    refusal: TransactionFailure,
    success: { status: "2xx", has: "transactionIdForSessionForSession" },
    bound: [],
    requirements: {
      success: ["R005", "R008", "R037", "R038"],
      types: ["R005", "R037"],
      refusal: ["R039", "R109"],
    },
  },
);

export const initializeVirtualAccount = operation(
  "POST /api/transaction-service/external/v1/transaction-initialize/dva",
  {
    id: "initializeVirtualAccount",
    section: "4.5",
    summary: "Initialize transaction with dynamic virtual account",
    effect: "money",
    contentType: "application/json",
    body: z.object({
      email: z.string(),
      amount: z.string().describe("In the currency's subunit (for NGN, kobo)"),
      reference: z.string().optional().describe("Unique per attempt; generated when omitted"),
    }),
    needs: [],
    responses: {
      200: z
        .object({ status: z.boolean(), message: z.string(), data: anyValue() })
        .meta({ id: "VirtualAccount" }),
      422: RejectedError,
    },
    success: { status: 200, equals: { field: "status", value: true } },
    bound: [
      bad("email-missing", { email: undefined }, ["R041", "R045", "R108"]),
      bad("amount-missing", { amount: undefined }, ["R042", "R045", "R108"]),
      bad("body-empty", { email: undefined, amount: undefined, reference: undefined }, [
        "R041",
        "R042",
        "R045",
      ]),
      bad("amount-abc", { amount: "abc" }, ["R042", "R045"]),
      bad("amount-1e3x", { amount: "1e3x" }, ["R042", "R045"]),
    ],
    requirements: {
      success: ["R017", "R023", "R040", "R044", "R111"],
      required: ["R041", "R042", "R045"],
      types: ["R017", "R042", "R045"],
      refusal: ["R045", "R108"],
    },
  },
);

function bad(
  id: string,
  body: Record<string, unknown>,
  requirements: readonly ("R041" | "R042" | "R045" | "R108")[],
) {
  return { id, change: { body }, status: 422, shape: RejectedError, requirements };
}

export const refundTransaction = operation("POST /api/transaction-service/external/v1/refund-transaction", {
  id: "refundTransaction",
  section: "4.6",
  summary: "Refund a transaction",
  effect: "money",
  contentType: "application/json",
  body: z.object({ transactionRef: z.string(), amount: z.number() }).partial(),
  needs: ["REFUNDABLE_TRANSACTIONS"],
  responses: {
    200: z.strictObject({}).meta({ id: "Refunded", description: "An empty JSON object" }),
    404: SimpleError,
    500: z.unknown().meta({ description: "Internal error; body not shown" }),
  },
  tolerated: z.looseObject({}),
  success: { status: 200 },
  bound: [
    {
      id: "transaction-unknown",
      change: { body: { transactionRef: FRESH, amount: 100 } },
      status: 404,
      shape: SimpleError,
      requirements: ["R009", "R048", "R110"],
    },
  ],
  requirements: {
    success: ["R009", "R046", "R047", "R111"],
    types: ["R009", "R046"],
    refusal: ["R048", "R110"],
  },
});
