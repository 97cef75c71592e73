import { z } from "zod";
import { MessageBody, Undocumented, ValidationError } from "../bodies.ts";
import { condition, operation } from "../operation.ts";
import { given, UNKNOWN_ID } from "../recipe.ts";

/** A value of the wrong type for a subscription that exists: 400 with error shape A (section 4.20). */
const invalid = (field: string, label: string, value: unknown) =>
  condition(`${field}-${label}`, { body: { [field]: value } }, 400, ["R013", "R098", "R107"]);

const update = {
  planId: z.string(),
  planName: z.string(),
  customerId: z.string(),
  amount: z.number(),
  nextPaymentDate: z.string().describe("Date only"),
  startDate: z.string().describe("Date only"),
  subscriptionCode: z.string(),
  paymentCount: z.int(),
  interval: z.string(),
  status: z.string(),
};

export const updateSubscription = operation({
  endpoint: "PUT /api/payment-service/external/v1/subscription/{id}",
  section: "4.20",
  noun: "a subscription update",
  effect: "update",
  path: z.object({ id: z.int() }),
  body: z.object(update).partial(),
  ordinary: {
    path: { id: given("SUBSCRIPTION_ID", { otherwise: UNKNOWN_ID }) },
    body: given("SUBSCRIPTION_UPDATE", { otherwise: {} }),
  },
  freeText: "planName",
  free: {
    planName: "text",
    amount: "number",
    paymentCount: "count",
    startDate: "date",
    nextPaymentDate: "laterDate",
  },
  needsToAct: { id: "number" },
  expendable: "SUBSCRIPTION_EXPENDABLE",
  responses: { 200: MessageBody, 400: ValidationError, 404: Undocumented },
  bound: [
    {
      id: "subscription-unknown",
      what: "no subscription has this id",
      change: { path: { id: UNKNOWN_ID }, bodyIfNone: { planName: "Gold" } },
      status: 404,
      requirements: ["R099", "R111"],
    },
    ...Object.keys(update).map((field) => invalid(field, "object", {})),
    invalid("amount", "abc", "abc"),
    invalid("paymentCount", "x", "x"),
  ],
  requirements: {
    success: ["R013", "R096", "R097", "R111"],
    types: ["R013", "R098"],
    rejection: ["R098", "R107"],
  },
});
