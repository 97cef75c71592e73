import { z } from "zod";
import { named, ReadEnvelope, Undocumented } from "../bodies.ts";
import { condition, operation } from "../operation.ts";
import { FIRST_PAGE, FRESH, given, givenOr, NOTE } from "../recipe.ts";

/** The transfer status values of section 3, in its order. */
export const TRANSFER_STATUSES = [
  "Successful",
  "Failed",
  "Blocked",
  "Rejected",
  "Pending",
  "Unverified",
] as const;

const listCodes = { 200: ReadEnvelope, 400: Undocumented, 401: Undocumented, 500: Undocumented };

export const listTransfers = operation({
  endpoint: "GET /api/transaction-service/external/v1/transfer/get-transfer-list",
  section: "4.8",
  noun: "a transfer list request",
  effect: "read",
  query: z.object({
    transferReference: z.string().optional(),
    status: z.enum(TRANSFER_STATUSES).optional(),
    limit: z.int().describe("Maximum number of records returned"),
    page: z.int().describe("Current page"),
  }),
  ordinary: FIRST_PAGE,
  private: true,
  freeText: "transferReference",
  free: { transferReference: "search" },
  responses: listCodes,
  list: {
    search: "transferReference",
    at: /ref(erence)?$/i,
    item: "transfer",
    paged: { limit: ["R056", "R113"], page: ["R057", "R113"] },
  },
  bound: [
    condition("limit-missing", { query: { limit: undefined } }, 400, ["R055", "R059", "R113"]),
    condition("page-missing", { query: { page: undefined } }, 400, ["R055", "R059", "R113"]),
    condition("limit-and-page-missing", { query: { limit: undefined, page: undefined } }, 400, [
      "R055",
      "R059",
      "R113",
    ]),
    condition("limit-not-a-number", { query: { limit: "abc" } }, 400, ["R055", "R059"]),
    condition("page-not-a-number", { query: { page: "abc" } }, 400, ["R055", "R059"]),
  ],
  requirements: {
    success: ["R022", "R024", "R054", "R055", "R058", "R100", "R111", "R114"],
    required: ["R055", "R059", "R113"],
    types: ["R055", "R059"],
    authentication: ["R060", "R104"],
  },
});

export const listRecipients = operation({
  endpoint: "GET /api/transaction-service/external/v1/transfer/get-recipient-list",
  section: "4.9",
  noun: "a recipient list request",
  effect: "read",
  query: z.object({
    status: z.boolean().optional().describe("true = active, false = inactive"),
    searchRecipientAccountName: z.string().optional(),
    limit: z.int().describe("Results per page"),
    page: z.int(),
  }),
  ordinary: FIRST_PAGE,
  fresh: "search",
  private: true,
  freeText: "searchRecipientAccountName",
  free: { searchRecipientAccountName: "search" },
  responses: listCodes,
  list: {
    search: "searchRecipientAccountName",
    at: /^(account|recipient)?_?(account)?_?name$/i,
    known: "ACTIVE_RECIPIENT_NAME",
    item: "recipient",
    paged: { limit: ["R062", "R113"], page: ["R062", "R113"] },
  },
  requirements: {
    success: ["R024", "R062", "R063", "R111"],
    required: ["R062", "R063", "R113"],
    types: ["R062", "R063"],
    authentication: ["R063", "R104"],
  },
});

export const createTransfer = operation({
  endpoint: "POST /api/transaction-service/external/v1/transfer/create-single-transfer",
  section: "4.16",
  noun: "a transfer",
  effect: "money",
  foundBy: { read: "listTransfers", field: "transferReference", shows: "the transfer is listed" },
  body: z.object({
    amount: z.number(),
    bankCode: z.string(),
    bankName: z.string().optional(),
    accountNumber: z.string(),
    accountName: z.string(),
    emailAddress: z.string(),
    transferNote: z.string().optional(),
    transferReference: z.string(),
  }),
  takes: { field: "transferReference", late: [] },
  ordinary: {
    body: {
      amount: given("TRANSFER_AMOUNT"),
      bankCode: given("BANK_CODE"),
      accountNumber: given("ACCOUNT_NUMBER"),
      accountName: given("ACCOUNT_NAME"),
      emailAddress: given("EMAIL_ADDRESS"),
      transferReference: FRESH,
    },
  },
  optional: { bankName: given("BANK_NAME"), transferNote: NOTE },
  needsToAct: { amount: "number", accountNumber: "text" },
  stake: { field: "amount" },
  private: true,
  freeText: "transferNote",
  free: {
    bankName: givenOr("BANK_NAME", undefined),
    accountNumber: givenOr("SECOND_ACCOUNT_NUMBER", undefined),
    transferReference: "fresh",
    transferNote: "note",
    amount: "payout",
    emailAddress: "email",
  },
  responses: {
    any: named("Transfer", { status: z.string(), transactionId: z.string(), message: z.string() }),
  },
  errorBody: named(
    "TransferRefused",
    { status: z.string(), message: z.string() },
    "Blocked or invalid input",
  ),
  success: { has: "transactionId" },
  recordedRejection: { field: "status", values: ["Failed", "Blocked", "Rejected"] },
  requirements: {
    success: ["R010", "R023", "R082", "R083", "R085"],
    required: ["R083", "R086"],
    types: ["R083"],
    rejection: ["R086"],
  },
});
