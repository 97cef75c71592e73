import { z } from "zod";
import { CreatedEnvelope, ReadEnvelope, ToleratedReadEnvelope } from "../envelope.ts";
import { SimpleError, ValidationError } from "../errors.ts";
import { operation } from "../operation.ts";
import { MessageBody } from "../values.ts";

export const addSplitSubaccount = operation(
  "POST /api/transaction-service/external/v1/split-page/{id}/subaccount/add",
  {
    id: "addSplitSubaccount",
    section: "4.7",
    summary: "Add a subaccount to a split page",
    effect: "update",
    contentType: "application/json",
    path: z.object({ id: z.int().describe("Split page id") }),
    // Section 4.7 flags neither field as required; `shere` is the documented spelling.
    body: z.object({ shere: z.int(), sub_account_id: z.string() }).partial(),
    needs: ["SPLIT_PAGE_ID", "SUB_ACCOUNT_ID", "SPLIT_SHARE"],
    responses: {
      201: z.object({ share: z.number(), subaccount: z.string() }).meta({ id: "SubaccountShare" }),
      500: SimpleError,
    },
    success: { status: 201 },
    bound: [],
    requirements: {
      success: ["R016", "R050", "R051", "R052", "R111"],
      types: ["R016", "R051"],
      refusal: ["R053", "R110"],
    },
  },
);

export const addPageProducts = operation(
  "POST /api/payment-service/external/v1/payment-pages/payment-page-add-product",
  {
    id: "addPageProducts",
    section: "4.10",
    summary: "Add products to a payment page",
    effect: "update",
    contentType: "application/json",
    body: z
      .object({ pageId: z.number(), productIds: z.string().describe("Comma-separated product ids") })
      .partial(),
    needs: ["PAGE_ID", "PRODUCT_IDS"],
    responses: { 200: MessageBody, 400: SimpleError },
    success: { status: 200 },
    bound: [],
    requirements: {
      success: ["R015", "R064", "R065", "R111"],
      types: ["R015", "R064"],
      refusal: ["R066", "R110"],
    },
  },
);

export const createPaymentPage = operation(
  "POST /api/payment-service/external/v1/payment-pages/create-pages",
  {
    id: "createPaymentPage",
    section: "4.12",
    summary: "Create a payment page",
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
    needs: ["PAGE_TYPE"],
    responses: { 200: CreatedEnvelope, 400: ValidationError },
    success: { status: 200 },
    bound: [],
    requirements: {
      success: ["R004", "R024", "R069", "R073", "R111"],
      required: ["R070", "R074", "R107"],
      types: ["R015", "R070"],
      refusal: ["R074", "R107"],
    },
  },
);

export const checkCustomLink = operation(
  "POST /api/payment-service/external/v1/payment-pages/custom-link-check-exist",
  {
    id: "checkCustomLink",
    section: "4.13",
    summary: "Check whether a custom link exists",
    effect: "read",
    contentType: "application/json",
    body: z.object({ customLink: z.string() }),
    needs: [],
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
      refusal: ["R077", "R110"],
    },
  },
);

function link(id: string, customLink: unknown, requirements: readonly ("R075" | "R077" | "R110")[]) {
  return { id, change: { body: { customLink } }, status: 400, shape: SimpleError, requirements };
}

export const listPageProducts = operation(
  "GET /api/payment-service/external/v1/payment-pages/payment-page-get-product",
  {
    id: "listPageProducts",
    section: "4.14",
    summary: "Get products of a payment page",
    effect: "read",
    contentType: "none",
    query: z.object({ pageId: z.int(), searchProduct: z.string().optional() }),
    needs: ["PAGE_ID"],
    responses: { 200: ReadEnvelope, 400: ValidationError },
    tolerated: ToleratedReadEnvelope,
    success: { status: 200 },
    list: { paged: false, search: "searchProduct", requirements: { limit: [], page: [] } },
    bound: [],
    requirements: {
      success: ["R024", "R078", "R079", "R111"],
      required: ["R078", "R079", "R107"],
      types: ["R078", "R079", "R107"],
      refusal: ["R079", "R107"],
    },
  },
);
