import { z } from "zod";
import { ReadEnvelope, ToleratedReadEnvelope } from "../envelope.ts";
import { ValidationError } from "../errors.ts";
import { operation } from "../operation.ts";
import { FRESH, given } from "../recipe.ts";

export const getDispute = operation("GET /api/dispute-service/external/v1/dispute-details", {
  id: "getDispute",
  section: "4.15",
  summary: "Dispute details",
  noun: "a dispute request",
  effect: "read",
  contentType: "none",
  query: z.object({ transactionRef: z.string() }),
  ordinary: { query: { transactionRef: given("DISPUTE_TRANSACTION_REF", { standIn: FRESH }) } },
  private: true,
  responses: { 200: ReadEnvelope, 400: ValidationError },
  tolerated: ToleratedReadEnvelope,
  success: { status: 200 },
  bound: [],
  requirements: {
    success: ["R018", "R024", "R080", "R081", "R111"],
    required: ["R080", "R081", "R107"],
    rejection: ["R081", "R107"],
  },
});
