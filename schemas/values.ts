import { z } from "zod";

/** Any JSON value, null included, whose key must be present ("value" in the specification, or a type not shown). */
export const anyValue = () => z.unknown().refine((value) => value !== undefined, "is missing");

/** A body the specification does not show. */
export const NotShown = z.unknown().meta({ description: "Not shown in the specification" });

/** `{message}`, the success body of page products, link check and subscription update. */
export const MessageBody = z.object({ message: z.string() }).meta({ id: "MessageBody" });

/** Text or number: the card fields, whose types section 4.3 does not show. */
export const textOrNumber = () => z.union([z.string(), z.number()]);
