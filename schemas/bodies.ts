import { z } from "zod";

/** A documented body, under the name that it has in the OpenAPI document. */
export const named = <S extends z.core.$ZodLooseShape>(id: string, shape: S, description?: string) =>
  z.object(shape).meta({ id, ...(description && { description }) });

/** A member that must be present with any JSON value, including null: its type is "value" or undocumented. */
export const anyValue = () => z.unknown().refine((value) => value !== undefined, "is missing");

/** A body that the specification does not show. */
export const Undocumented = z.unknown().meta({ description: "Undocumented" });

/** `{message}`, the success body of adding page products, the link check and the subscription update. */
export const MessageBody = named("MessageBody", { message: z.string() });

/** `error` in any letter case. */
export const isErrorWord = (value: unknown) => typeof value === "string" && value.toLowerCase() === "error";

/** Whether the specification shows no body. */
export const isUndocumented = (schema?: z.ZodType): boolean => schema instanceof z.ZodUnknown;

const head = { status: z.string(), message: z.string() };

/** The generic success envelope of creations (section 4, common response shapes). */
export const CreatedEnvelope = named("CreatedEnvelope", {
  ...head,
  data: z.looseObject({ reference: z.string() }),
});

/** The generic success envelope of reads (section 4, common response shapes). */
export const ReadEnvelope = named("ReadEnvelope", {
  ...head,
  data: z.looseObject({ reference: z.string(), status: z.string() }),
});

/**
 * The widest envelope of a read that is no violation. Section 4 documents `data` as one record but leaves list items and
 * pagination open, so an array, null, or an object without `reference` and `status` only causes a warning.
 */
export const ToleratedReadEnvelope = z.object({
  ...head,
  data: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()]),
});

/** The envelope of the discount-code update, whose `data` is a record with undocumented members. */
export const UpdatedEnvelope = named("UpdatedEnvelope", { ...head, data: z.looseObject({}) });

/** The widest envelope that shows a record which exists. */
export const FoundEnvelope = z.object({ ...head, data: z.looseObject({}) });

const validation = {
  status: z.literal("error"),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())),
};

/** Error shape A (section 7): validation failed; `errors` maps a field to its messages. */
export const ValidationError = named("ValidationError", validation, "Error shape A (validation)");

/** Error shape B (section 7): the same as A, for a 422 of virtual-account initialization. */
export const RejectedError = named("RejectedError", validation, "Error shape B (rejected)");

/** Error shape C (section 7): a transaction failed. */
export const TransactionFailure = named(
  "TransactionFailure",
  { message: z.string(), code: z.number(), error: z.string() },
  "Error shape C (transaction failure)",
);

/** The error body of sections 4.3 and 4.4, which show a type for `code` only. */
export const SessionFailure = named(
  "SessionFailure",
  { message: anyValue(), code: z.number(), error: anyValue() },
  "Error body of card and NDD transactions",
);

/** Error shape D (section 7): the simple error. */
export const SimpleError = named("SimpleError", { error: z.string() }, "Error shape D (simple)");
