import { z } from "zod";

/** What may break first when the rate rises, the most telling first. */
const KINDS = ["generator", "errors", "throttling", "responses", "latency", "schedule"] as const;

export const Cause = z.object({
  kind: z.enum(KINDS),
  /** The operation whose latency it is. */
  operation: z.string().exactOptional(),
  text: z.string(),
});

/** Why a target did not hold a rate. */
export type Cause = Readonly<z.infer<typeof Cause>>;

/** What each kind is called. */
const TITLES: Readonly<Record<Cause["kind"], string>> = {
  generator: "the generator",
  errors: "errors",
  throttling: "throttling",
  responses: "responses",
  latency: "latency",
  schedule: "the schedule",
};

/** Says what broke: `latency of createTransfer: ...`. */
export const causeText = ({ kind, operation, text }: Cause): string =>
  `${TITLES[kind]}${operation ? ` of ${operation}` : ""}: ${text}`;
