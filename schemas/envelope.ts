import { z } from "zod";

const head = { status: z.string(), message: z.string() };

/** The generic success envelope of creations (section 4, common response shapes). */
export const CreatedEnvelope = z
  .object({ ...head, data: z.looseObject({ reference: z.string() }) })
  .meta({ id: "CreatedEnvelope" });

/** The generic success envelope of reads (section 4, common response shapes). */
export const ReadEnvelope = z
  .object({ ...head, data: z.looseObject({ reference: z.string(), status: z.string() }) })
  .meta({ id: "ReadEnvelope" });

/**
 * The widest envelope of a read that is no violation. Section 4 documents `data` as one record but leaves list items and
 * pagination open, so an array, null, or an object without `reference` and `status` only causes a warning.
 */
export const ToleratedReadEnvelope = z.object({
  ...head,
  data: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()]),
});

/** The envelope of the discount-code update, whose `data` is present but undocumented. */
export const UpdatedEnvelope = z
  .object({ ...head, data: z.unknown().refine((value) => value !== undefined, "is missing") })
  .meta({ id: "UpdatedEnvelope" });
