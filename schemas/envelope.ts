import { z } from "zod";

const head = { status: z.string(), message: z.string() };

/** Generic success envelope of creations (section 4, common response shapes). */
export const CreatedEnvelope = z
  .object({ ...head, data: z.looseObject({ reference: z.string() }) })
  .meta({ id: "CreatedEnvelope" });

/** Generic success envelope of reads, as section 4 documents it. */
export const ReadEnvelope = z
  .object({ ...head, data: z.looseObject({ reference: z.string(), status: z.string() }) })
  .meta({ id: "ReadEnvelope" });

/**
 * Envelope of a read that is no violation: section 4 documents `data` as one record, yet leaves list items and
 * pagination open, so an array, null, or an object without `reference` and `status` only draws a warning.
 */
export const ToleratedReadEnvelope = z.object({
  ...head,
  data: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()]),
});

/** Envelope of the discount-code update, whose `data` is not shown beyond its presence. */
export const UpdatedEnvelope = z
  .object({ ...head, data: z.unknown().refine((value) => value !== undefined, "is missing") })
  .meta({ id: "UpdatedEnvelope" });
