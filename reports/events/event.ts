import { z } from "zod";
import { type OperationId, operations } from "../../schemas/contract.ts";
import type { RequirementId } from "../../schemas/requirements.ts";
import type { CheckInfo, CheckResult, Created, Money, Observation } from "../verdicts/verdict.ts";
import { Waiver } from "../verdicts/waivers.ts";

const OperationName = z.custom<OperationId>(
  (value) => operations.some((operation) => operation.id === value),
  "is not an operation",
);
const Requirement = z.custom<RequirementId>(
  (value) => typeof value === "string" && /^R\d{3}$/.test(value),
  "is not a requirement",
);

const info = {
  id: z.string().min(1),
  title: z.string().min(1),
  operation: OperationName,
  level: z.enum(["MUST", "SHOULD", "OBSERVE"]),
  critical: z.literal(true).exactOptional(),
  basis: z.literal("mandate").exactOptional(),
  requirements: z.array(Requirement),
  source: z.string().exactOptional(),
} satisfies { readonly [K in keyof CheckInfo]-?: z.ZodType };

/** Keeps members that a later version adds. */
const Result: z.ZodType<CheckResult> = z.looseObject({
  ...info,
  verdict: z.enum([
    "pass",
    "pass-weak",
    "fail",
    "warn",
    "observed",
    "inconclusive",
    "not-tested",
    "waived",
    "suite-error",
  ]),
  message: z.string().exactOptional(),
  actual: z.string().exactOptional(),
  expected: z.string().exactOptional(),
  body: z.string().exactOptional(),
  reason: z
    .enum(["variable", "empty-list", "spent", "budget", "out-of-scope", "interrupted", "not-embedded"])
    .exactOptional(),
  variables: z.array(z.string()).exactOptional(),
  blockedBy: z.string().exactOptional(),
  durationMs: z.number(),
  exchanges: z.array(z.string()),
  curl: z.string().exactOptional(),
});

const Noted: z.ZodType<Observation> = z.looseObject({
  item: z.string(),
  operation: OperationName,
  text: z.string(),
});

const Made: z.ZodType<Created> = z.looseObject({
  operation: OperationName,
  reference: z.string(),
  identifier: z.string().exactOptional(),
  at: z.string(),
});

const Sum = z.object({ count: z.number(), total: z.number() });
const Limit = z.object({ count: z.number().nullable(), total: z.number().nullable() });
const Moved: z.ZodType<Money> = z.looseObject({ planned: Sum, kept: Sum, released: Sum, limit: Limit });

/** What is known before the first check of a run. */
const RunStarted = z.looseObject({
  type: z.literal("run"),
  suite: z.object({ version: z.string(), commit: z.string() }),
  target: z.object({
    name: z.string().exactOptional(),
    version: z.string().exactOptional(),
    baseUrl: z.string(),
    environment: z.enum(["sandbox", "live"]),
    embedded: z.boolean(),
    pathForms: z.record(z.string(), z.enum(["bare", "prefixed"])),
  }),
  startedAt: z.iso.datetime(),
  seed: z.number(),
  command: z.enum(["certify", "gate"]),
  /** The command with its options, as the operator typed it. */
  commandLine: z.string(),
  strict: z.boolean(),
  hardened: z.boolean(),
  /** The operator selected some of the checks. */
  selected: z.boolean(),
  outOfScope: z.array(z.string()),
  /** The ids of all checks of this version, including those that were not selected. */
  registered: z.array(z.string()),
  waivers: z.array(Waiver),
});

/** One line of `events.jsonl`. */
export const RunEvent = z.discriminatedUnion("type", [
  RunStarted,
  z.object({ type: z.literal("check"), result: Result }),
  z.object({ type: z.literal("observation"), observation: Noted }),
  z.object({ type: z.literal("created"), created: Made }),
  /** What the run has moved so far; the last one counts. */
  z.object({ type: z.literal("money"), money: Moved }),
  z.object({
    type: z.literal("problem"),
    kind: z.enum(["suite", "usage", "refused", "waiver"]),
    text: z.string(),
  }),
  /** The operator asked the run to stop. */
  z.object({ type: z.literal("interrupted") }),
  z.object({ type: z.literal("end"), finishedAt: z.iso.datetime() }),
]);
export type RunEvent = z.infer<typeof RunEvent>;
export type RunStarted = z.infer<typeof RunStarted>;
