import { z } from "zod";
import { CreatedEnvelope, ReadEnvelope, Undocumented, UpdatedEnvelope, ValidationError } from "../bodies.ts";
import { operation } from "../operation.ts";
import { END_DATE, FRESH, given, givenOr, START_DATE, UNKNOWN_ID } from "../recipe.ts";

/** A value for a field of a new code; the operator may give another one. */
const chosen = (field: string, value: number) => givenOr("DISCOUNT_FIELDS", value, { member: field });

export const updateDiscountCode = operation({
  endpoint: "PUT /api/payment-service/external/v1/products/update-discount-code-details",
  section: "4.11",
  noun: "a discount-code update",
  effect: "update",
  // Section 4.11 documents no request, so the suite sends the operator's DISCOUNT_UPDATE.
  query: z.looseObject({}),
  body: z.looseObject({}),
  ordinary: {
    query: given("DISCOUNT_UPDATE", { member: "query", otherwise: {} }),
    body: given("DISCOUNT_UPDATE", { member: "body", otherwise: {} }),
  },
  fieldProbes: "none",
  scope: "discount-update",
  responses: { 200: UpdatedEnvelope, 400: ValidationError },
  requirements: { success: ["R024", "R067", "R111"], rejection: ["R068", "R107"] },
});

export const listDiscountCodes = operation({
  endpoint: "GET /api/payment-service/external/v1/products/get-discount-codes",
  section: "4.18",
  noun: "a discount-code list request",
  effect: "read",
  query: z.object({ productId: z.string().optional(), code: z.string().optional() }),
  ordinary: {},
  fresh: "code",
  freeText: "code",
  free: { code: "search" },
  responses: { 200: ReadEnvelope, 400: Undocumented },
  list: { search: "code", item: "discount code" },
  requirements: { success: ["R024", "R090", "R091", "R111"] },
});

export const createDiscountCode = operation({
  endpoint: "POST /api/payment-service/external/v1/products/add-discount-code",
  section: "4.19",
  noun: "a discount code",
  effect: "create",
  foundBy: { read: "listDiscountCodes", field: "code", shows: "the code is listed" },
  takes: {
    field: "code",
    late: [
      { what: "no product has its productId", change: { body: { productId: UNKNOWN_ID } } },
      { what: "its isActive is not a boolean", change: { body: { isActive: "maybe" } } },
    ],
  },
  // Section 4.19 quotes the name with a trailing colon, `productId:`; the suite sends `productId`.
  body: z.object({
    productId: z.number().optional(),
    code: z.string(),
    value: z.number(),
    discounttype: z.string(),
    minOrderAmount: z.number().optional(),
    maxUsePerCustomer: z.number().optional(),
    maxClaims: z.number().optional(),
    startDate: z.string().optional(),
    endDate: z.string().optional(),
    isActive: z.boolean().optional(),
    isDelete: z.boolean().optional(),
  }),
  ordinary: { body: { code: FRESH, value: chosen("value", 5), discounttype: given("DISCOUNT_TYPE") } },
  needsToAct: { code: "text" },
  optional: {
    productId: given("PRODUCT_ID"),
    minOrderAmount: chosen("minOrderAmount", 100),
    maxUsePerCustomer: chosen("maxUsePerCustomer", 1),
    maxClaims: chosen("maxClaims", 10),
    startDate: START_DATE,
    endDate: END_DATE,
    isActive: true,
    isDelete: false,
  },
  fresh: "code",
  freeText: "code",
  free: {
    code: "fresh",
    productId: givenOr("PRODUCT_ID", undefined),
    value: "percent",
    minOrderAmount: "number",
    maxUsePerCustomer: "count",
    maxClaims: "count",
    startDate: "date",
    endDate: "laterDate",
    isActive: "boolean",
    isDelete: "boolean",
  },
  responses: { 200: CreatedEnvelope, 400: ValidationError },
  requirements: {
    success: ["R014", "R023", "R024", "R092", "R094", "R111"],
    required: ["R092", "R095", "R107"],
    types: ["R014", "R092", "R093"],
    rejection: ["R095", "R107"],
  },
});
