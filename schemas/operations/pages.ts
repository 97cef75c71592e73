import { z } from "zod";
import {
  CreatedEnvelope,
  MessageBody,
  named,
  ReadEnvelope,
  SimpleError,
  ValidationError,
} from "../bodies.ts";
import { condition, operation } from "../operation.ts";
import { FRESH, FRESH_NOTE, given, givenOr, NOTE, REDIRECT_LINK, UNKNOWN_ID } from "../recipe.ts";

export const addSplitSubaccount = operation({
  endpoint: "POST /api/transaction-service/external/v1/split-page/{id}/subaccount/add",
  section: "4.7",
  noun: "a subaccount share",
  effect: "update",
  path: z.object({ id: z.int().describe("Split page id") }),
  // Section 4.7 marks neither field as required; `shere` is the documented spelling.
  body: z.object({ shere: z.int(), sub_account_id: z.string() }).partial(),
  ordinary: {
    path: { id: given("SPLIT_PAGE_ID", { otherwise: UNKNOWN_ID }) },
    body: { shere: given("SPLIT_SHARE"), sub_account_id: given("SUB_ACCOUNT_ID") },
  },
  singleUse: "attachment",
  needsToAct: { id: "number", sub_account_id: "text" },
  fieldProbes: "strict",
  responses: {
    201: named("SubaccountShare", { share: z.number(), subaccount: z.string() }),
    500: SimpleError,
  },
  requirements: {
    success: ["R016", "R050", "R051", "R052", "R111"],
    types: ["R016", "R051"],
    rejection: ["R053", "R110"],
  },
});

export const addPageProducts = operation({
  endpoint: "POST /api/payment-service/external/v1/payment-pages/payment-page-add-product",
  section: "4.10",
  noun: "a request to add products",
  effect: "update",
  body: z
    .object({ pageId: z.number(), productIds: z.string().describe("Comma-separated product ids") })
    .partial(),
  ordinary: { body: { pageId: given("PAGE_ID"), productIds: given("PRODUCT_IDS") } },
  singleUse: "attachment",
  needsToAct: { pageId: "number", productIds: "number" },
  shownBy: "listPageProducts",
  fieldProbes: "strict",
  refuses: ["pageId"],
  responses: { 200: MessageBody, 400: SimpleError },
  requirements: {
    success: ["R015", "R064", "R065", "R111"],
    types: ["R015", "R064"],
    rejection: ["R066", "R110"],
  },
});

export const createPaymentPage = operation({
  endpoint: "POST /api/payment-service/external/v1/payment-pages/create-pages",
  section: "4.12",
  noun: "a payment page",
  effect: "create",
  foundBy: { read: "checkCustomLink", field: "customLink", shows: "its link is taken" },
  takes: {
    field: "customLink",
    late: [
      { what: "no plan has its planId", change: { body: { pageType: "Subscription", planId: UNKNOWN_ID } } },
      {
        what: "its fixedPaymentAmount is not a number",
        change: { body: { isFixedPaymentAmount: true, fixedPaymentAmount: "abc" } },
      },
    ],
  },
  multipart: true,
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
  // Without planId, which only pages of the type Subscription need.
  optional: {
    redirectAfterPaymentLink: REDIRECT_LINK,
    successMessage: NOTE,
    sendNotificationsToEmail: givenOr("EMAIL_ADDRESS", "notices@example.com"),
    isPhoneNumber: false,
    isFixedPaymentAmount: false,
    extraInformation: ["Size"],
  },
  fresh: "link",
  freeText: "pageDescription",
  free: {
    customLink: "fresh",
    pageName: "text",
    pageDescription: "text",
    isFixedPaymentAmount: "boolean",
    fixedPaymentAmount: "number",
    isPhoneNumber: "boolean",
    redirectAfterPaymentLink: "link",
    successMessage: "note",
    sendNotificationsToEmail: "email",
    extraInformation: "texts",
    seoImage: "file",
  },
  rejects: [
    {
      what: "pageType is Subscription and planId is missing",
      change: { body: { pageType: "Subscription", planId: undefined } },
    },
  ],
  responses: { 200: CreatedEnvelope, 400: ValidationError },
  requirements: {
    success: ["R004", "R024", "R069", "R073", "R111"],
    required: ["R070", "R074", "R107"],
    types: ["R015", "R070"],
    rejection: ["R074", "R107"],
  },
});

export const checkCustomLink = operation({
  endpoint: "POST /api/payment-service/external/v1/payment-pages/custom-link-check-exist",
  section: "4.13",
  noun: "a custom-link check",
  effect: "read",
  body: z.object({ customLink: z.string() }),
  ordinary: { body: { customLink: FRESH } },
  fresh: "link",
  freeText: "customLink",
  responses: { 200: MessageBody, 400: SimpleError },
  bound: [
    condition("customLink-missing", { body: { customLink: undefined } }, 400, ["R075", "R077", "R110"]),
    condition("customLink-null", { body: { customLink: null } }, 400, ["R075", "R077"]),
    condition("customLink-object", { body: { customLink: {} } }, 400, ["R075", "R077"]),
  ],
  requirements: {
    success: ["R023", "R075", "R076", "R111"],
    required: ["R075", "R077"],
    types: ["R075", "R077"],
    rejection: ["R077", "R110"],
  },
});

export const listPageProducts = operation({
  endpoint: "GET /api/payment-service/external/v1/payment-pages/payment-page-get-product",
  section: "4.14",
  noun: "a page-products request",
  effect: "read",
  query: z.object({ pageId: z.int(), searchProduct: z.string().optional() }),
  ordinary: { query: { pageId: given("PAGE_ID", { otherwise: UNKNOWN_ID }) } },
  fresh: "search",
  freeText: "searchProduct",
  free: { searchProduct: "search" },
  responses: { 200: ReadEnvelope, 400: ValidationError },
  list: { search: "searchProduct", item: "product" },
  requirements: {
    success: ["R024", "R078", "R079", "R111"],
    required: ["R078", "R079", "R107"],
    types: ["R078", "R079", "R107"],
    rejection: ["R079", "R107"],
  },
});
