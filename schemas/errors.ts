import { z } from "zod";

/** Error shape A (section 7): validation failed; `errors` maps a field to its messages. */
export const ValidationError = z
  .object({
    status: z.literal("error"),
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())),
  })
  .meta({ id: "ValidationError", description: "Error shape A (validation)" });

/** Error shape B (section 7): the same as A, for a 422 of virtual-account initialization. */
export const RejectedError = z
  .object(ValidationError.shape)
  .meta({ id: "RejectedError", description: "Error shape B (rejected)" });

/** Error shape C (section 7): a transaction failed. */
export const TransactionFailure = z
  .object({ message: z.string(), code: z.number(), error: z.string() })
  .meta({ id: "TransactionFailure", description: "Error shape C (transaction failure)" });

/** Error shape D (section 7): the simple error. */
export const SimpleError = z
  .object({ error: z.string() })
  .meta({ id: "SimpleError", description: "Error shape D (simple)" });
