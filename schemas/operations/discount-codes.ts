import { z } from "zod";
import { CreatedEnvelope, ReadEnvelope, ToleratedReadEnvelope, UpdatedEnvelope } from "../envelope.ts";
import { ValidationError } from "../errors.ts";
import { operation } from "../operation.ts";
import { NotShown } from "../values.ts";

export const updateDiscountCode = operation(
  "PUT /api/payment-service/external/v1/products/update-discount-code-details",
  {
    id: "updateDiscountCode",
    section: "4.11",
    summary: "Update product discount code details",
    effect: "update",
    contentType: "application/json",
    // Section 4.11 shows no request: the operator's recipe (DISCOUNT_UPDATE) is sent as it stands.
    query: z.looseObject({}),
    body: z.looseObject({}),
    needs: ["DISCOUNT_UPDATE"],
    responses: { 200: UpdatedEnvelope, 400: ValidationError },
    success: { status: 200 },
    bound: [],
    requirements: { success: ["R024", "R067", "R111"], refusal: ["R068", "R107"] },
  },
);

export const listDiscountCodes = operation(
  "GET /api/payment-service/external/v1/products/get-discount-codes",
  {
    id: "listDiscountCodes",
    section: "4.18",
    summary: "Get discount codes",
    effect: "read",
    contentType: "none",
    query: z.object({ productId: z.string().optional(), code: z.string().optional() }),
    needs: [],
    responses: { 200: ReadEnvelope, 400: NotShown },
    tolerated: ToleratedReadEnvelope,
    success: { status: 200 },
    list: { paged: false, search: "code", requirements: { limit: [], page: [] } },
    bound: [],
    requirements: { success: ["R024", "R090", "R091", "R111"] },
  },
);

export const createDiscountCode = operation(
  "POST /api/payment-service/external/v1/products/add-discount-code",
  {
    id: "createDiscountCode",
    section: "4.19",
    summary: "Create a discount code",
    effect: "create",
    contentType: "application/json",
    // The reference writes `productId:` with a trailing colon; the suite sends `productId`.
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
    needs: ["DISCOUNT_TYPE"],
    responses: { 200: CreatedEnvelope, 400: ValidationError },
    success: { status: 200 },
    bound: [],
    requirements: {
      success: ["R014", "R023", "R024", "R092", "R094", "R111"],
      required: ["R092", "R095", "R107"],
      types: ["R014", "R092", "R093"],
      refusal: ["R095", "R107"],
    },
  },
);
