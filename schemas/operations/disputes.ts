import { z } from "zod";
import { ReadEnvelope, ToleratedReadEnvelope } from "../envelope.ts";
import { ValidationError } from "../errors.ts";
import { operation } from "../operation.ts";

export const getDispute = operation("GET /api/dispute-service/external/v1/dispute-details", {
  id: "getDispute",
  section: "4.15",
  summary: "Dispute details",
  effect: "read",
  contentType: "none",
  query: z.object({ transactionRef: z.string() }),
  needs: ["DISPUTE_TRANSACTION_REF"],
  responses: { 200: ReadEnvelope, 400: ValidationError },
  tolerated: ToleratedReadEnvelope,
  success: { status: 200 },
  bound: [],
  requirements: {
    success: ["R018", "R024", "R080", "R081", "R111"],
    required: ["R080", "R081", "R107"],
    refusal: ["R081", "R107"],
  },
});
