import { z } from "zod";
import { describeChange } from "../changes.ts";
import { ReadEnvelope, ToleratedReadEnvelope } from "../envelope.ts";
import { operation } from "../operation.ts";
import { FIRST_PAGE, FRESH, given } from "../recipe.ts";
import { Undocumented } from "../values.ts";

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

const notAnInteger = (
  id: string,
  query: Record<string, unknown>,
  requirements: readonly ("R055" | "R059" | "R113")[],
) => ({ id, what: describeChange({ query }), change: { query }, status: 400, requirements });

export const listTransfers = operation(
  "GET /api/transaction-service/external/v1/transfer/get-transfer-list",
  {
    id: "listTransfers",
    section: "4.8",
    summary: "List transfers",
    noun: "a transfer list request",
    effect: "read",
    contentType: "none",
    query: z.object({
      transferReference: z.string().optional(),
      status: z.enum(TRANSFER_STATUSES).optional(),
      limit: z.int().describe("Maximum number of records returned"),
      page: z.int().describe("Current page"),
    }),
    ordinary: FIRST_PAGE,
    private: true,
    freeText: "transferReference",
    responses: listCodes,
    tolerated: ToleratedReadEnvelope,
    success: { status: 200 },
    list: {
      paged: true,
      search: "transferReference",
      filledBy: "createTransfer",
      requirements: { limit: ["R056", "R113"], page: ["R057", "R113"] },
    },
    bound: [
      notAnInteger("limit-missing", { limit: undefined }, ["R055", "R059", "R113"]),
      notAnInteger("page-missing", { page: undefined }, ["R055", "R059", "R113"]),
      notAnInteger("limit-and-page-missing", { limit: undefined, page: undefined }, ["R055", "R059", "R113"]),
      notAnInteger("limit-not-a-number", { limit: "abc" }, ["R055", "R059"]),
      notAnInteger("page-not-a-number", { page: "abc" }, ["R055", "R059"]),
    ],
    requirements: {
      success: ["R022", "R024", "R054", "R055", "R058", "R100", "R111", "R114"],
      required: ["R055", "R059", "R113"],
      types: ["R055", "R059"],
      authentication: ["R060", "R104"],
    },
  },
);

export const listRecipients = operation(
  "GET /api/transaction-service/external/v1/transfer/get-recipient-list",
  {
    id: "listRecipients",
    section: "4.9",
    summary: "List recipients",
    noun: "a recipient list request",
    effect: "read",
    contentType: "none",
    query: z.object({
      status: z.boolean().optional().describe("true = active, false = inactive"),
      searchRecipientAccountName: z.string().optional(),
      limit: z.int().describe("Results per page"),
      page: z.int(),
    }),
    ordinary: FIRST_PAGE,
    private: true,
    freeText: "searchRecipientAccountName",
    responses: listCodes,
    tolerated: ToleratedReadEnvelope,
    success: { status: 200 },
    list: {
      paged: true,
      search: "searchRecipientAccountName",
      requirements: { limit: ["R062", "R113"], page: ["R062", "R113"] },
    },
    bound: [],
    requirements: {
      success: ["R024", "R062", "R063", "R111"],
      required: ["R062", "R063", "R113"],
      types: ["R062", "R063"],
      authentication: ["R063", "R104"],
    },
  },
);

export const createTransfer = operation(
  "POST /api/transaction-service/external/v1/transfer/create-single-transfer",
  {
    id: "createTransfer",
    section: "4.16",
    summary: "Single transfer",
    noun: "a transfer",
    effect: "money",
    contentType: "application/json",
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
    stake: { field: "amount" },
    private: true,
    freeText: "transferNote",
    responses: {
      any: z
        .object({ status: z.string(), transactionId: z.string(), message: z.string() })
        .meta({ id: "Transfer" }),
    },
    errorBody: z
      .object({ status: z.string(), message: z.string() })
      .meta({ id: "TransferRefused", description: "Blocked or invalid input" }),
    success: { status: "2xx", has: "transactionId" },
    recordedRejection: { field: "status", values: ["Failed", "Blocked", "Rejected"] },
    bound: [],
    requirements: {
      success: ["R010", "R023", "R082", "R083", "R085"],
      required: ["R083", "R086"],
      types: ["R083"],
      rejection: ["R086"],
    },
  },
);
