import { z } from "zod";
import { describeChange } from "../changes.ts";
import { CreatedEnvelope, ReadEnvelope, ToleratedReadEnvelope } from "../envelope.ts";
import { SimpleError, ValidationError } from "../errors.ts";
import { operation } from "../operation.ts";
import { FRESH, FRESH_NOTE, given, NOTE, UNKNOWN_ID } from "../recipe.ts";
import { MessageBody } from "../values.ts";

export const addSplitSubaccount = operation(
  "POST /api/transaction-service/external/v1/split-page/{id}/subaccount/add",
  {
    id: "addSplitSubaccount",
    section: "4.7",
    summary: "Add a subaccount to a split page",
    noun: "a subaccount share",
    effect: "update",
    contentType: "application/json",
    path: z.object({ id: z.int().describe("Split page id") }),
    // Section 4.7 marks neither field as required; `shere` is the documented spelling.
    body: z.object({ shere: z.int(), sub_account_id: z.string() }).partial(),
    ordinary: {
      path: { id: given("SPLIT_PAGE_ID", { standIn: UNKNOWN_ID }) },
      body: { shere: given("SPLIT_SHARE"), sub_account_id: given("SUB_ACCOUNT_ID") },
    },
    singleUse: "attachment",
    fieldProbes: "strict",
    responses: {
      201: z.object({ share: z.number(), subaccount: z.string() }).meta({ id: "SubaccountShare" }),
      500: SimpleError,
    },
    success: { status: 201 },
    bound: [],
    requirements: {
      success: ["R016", "R050", "R051", "R052", "R111"],
      types: ["R016", "R051"],
      rejection: ["R053", "R110"],
    },
  },
);

export const addPageProducts = operation(
  "POST /api/payment-service/external/v1/payment-pages/payment-page-add-product",
  {
    id: "addPageProducts",
    section: "4.10",
    summary: "Add products to a payment page",
    noun: "a request to add products",
    effect: "update",
    contentType: "application/json",
    body: z
      .object({ pageId: z.number(), productIds: z.string().describe("Comma-separated product ids") })
      .partial(),
    ordinary: { body: { pageId: given("PAGE_ID"), productIds: given("PRODUCT_IDS") } },
    singleUse: "attachment",
    fieldProbes: "strict",
    responses: { 200: MessageBody, 400: SimpleError },
    success: { status: 200 },
    bound: [],
    requirements: {
      success: ["R015", "R064", "R065", "R111"],
      types: ["R015", "R064"],
      rejection: ["R066", "R110"],
    },
  },
);

export const createPaymentPage = operation(
  "POST /api/payment-service/external/v1/payment-pages/create-pages",
  {
    id: "createPaymentPage",
    section: "4.12",
    summary: "Create a payment page",
    noun: "a payment page",
    effect: "create",
    contentType: "multipart/form-data",
    body: z
      .object({
        planId: z.number().describe("Required when pageType is Subscription"),
        pageType: z.string(),
        pageName: z.string(),
        pageDescription: z.string(),
        seoImage: z.file().describe("SEO image; sent as a file part"),
        isFixedPaymentAmount: z.boolean(),
        fixedPaymentAmount: z.number(),
        isPhoneNumber: z.boolean(),
        customLink: z.string(),
        redirectAfterPaymentLink: z.string(),
        successMessage: z.string(),
        sendNotificationsToEmail: z.string(),
        extraInformation: z.array(z.string()),
      })
      .partial(),
    ordinary: {
      body: { pageType: given("PAGE_TYPE"), pageName: FRESH_NOTE, pageDescription: NOTE, customLink: FRESH },
    },
    freeText: "pageDescription",
    rejects: [
      {
        what: "pageType is Subscription and planId is missing",
        change: { body: { pageType: "Subscription", planId: undefined } },
      },
    ],
    responses: { 200: CreatedEnvelope, 400: ValidationError },
    success: { status: 200 },
    bound: [],
    requirements: {
      success: ["R004", "R024", "R069", "R073", "R111"],
      required: ["R070", "R074", "R107"],
      types: ["R015", "R070"],
      rejection: ["R074", "R107"],
    },
  },
);

export const checkCustomLink = operation(
  "POST /api/payment-service/external/v1/payment-pages/custom-link-check-exist",
  {
    id: "checkCustomLink",
    section: "4.13",
    summary: "Check whether a custom link exists",
    noun: "a custom-link check",
    effect: "read",
    contentType: "application/json",
    body: z.object({ customLink: z.string() }),
    ordinary: { body: { customLink: FRESH } },
    freeText: "customLink",
    responses: { 200: MessageBody, 400: SimpleError },
    success: { status: 200 },
    bound: [
      link("customLink-missing", undefined, ["R075", "R077", "R110"]),
      link("customLink-null", null, ["R075", "R077"]),
      link("customLink-object", {}, ["R075", "R077"]),
    ],
    requirements: {
      success: ["R023", "R075", "R076", "R111"],
      required: ["R075", "R077"],
      types: ["R075", "R077"],
      rejection: ["R077", "R110"],
    },
  },
);

function link(id: string, customLink: unknown, requirements: readonly ("R075" | "R077" | "R110")[]) {
  const change = { body: { customLink } };
  return { id, what: describeChange(change), change, status: 400, shape: SimpleError, requirements };
}

export const listPageProducts = operation(
  "GET /api/payment-service/external/v1/payment-pages/payment-page-get-product",
  {
    id: "listPageProducts",
    section: "4.14",
    summary: "Get products of a payment page",
    noun: "a page-products request",
    effect: "read",
    contentType: "none",
    query: z.object({ pageId: z.int(), searchProduct: z.string().optional() }),
    ordinary: { query: { pageId: given("PAGE_ID", { standIn: UNKNOWN_ID }) } },
    freeText: "searchProduct",
    responses: { 200: ReadEnvelope, 400: ValidationError },
    tolerated: ToleratedReadEnvelope,
    success: { status: 200 },
    list: { paged: false, search: "searchProduct", requirements: { limit: [], page: [] } },
    bound: [],
    requirements: {
      success: ["R024", "R078", "R079", "R111"],
      required: ["R078", "R079", "R107"],
      types: ["R078", "R079", "R107"],
      rejection: ["R079", "R107"],
    },
  },
);
