import { z } from "zod";
import { FoundEnvelope, ReadEnvelope, ValidationError } from "../bodies.ts";
import { operation } from "../operation.ts";
import { FRESH, given } from "../recipe.ts";

export const getDispute = operation({
  endpoint: "GET /api/dispute-service/external/v1/dispute-details",
  section: "4.15",
  noun: "a dispute request",
  effect: "read",
  query: z.object({ transactionRef: z.string() }),
  ordinary: { query: { transactionRef: given("DISPUTE_TRANSACTION_REF", { otherwise: FRESH }) } },
  private: true,
  responses: { 200: ReadEnvelope, 400: ValidationError },
  found: FoundEnvelope,
  requirements: {
    success: ["R018", "R024", "R080", "R081", "R111"],
    required: ["R080", "R081", "R107"],
    rejection: ["R081", "R107"],
  },
});
