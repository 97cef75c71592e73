import { z } from "zod";

/** A member that must be present with any JSON value, including null: its type is "value" or undocumented. */
export const anyValue = () => z.unknown().refine((value) => value !== undefined, "is missing");

/** A body that the specification does not show. */
export const Undocumented = z.unknown().meta({ description: "Undocumented" });

/** `{message}`, the success body of adding page products, the link check and the subscription update. */
export const MessageBody = z.object({ message: z.string() }).meta({ id: "MessageBody" });

/** The card fields, whose types are undocumented (section 4.3). */
export const textOrNumber = () => z.union([z.string(), z.number()]);
