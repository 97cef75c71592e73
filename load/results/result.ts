import { z } from "zod";
import type { Decision as RunDecision } from "../../reports/verdicts/outcome.ts";
import type { Frozen, Money } from "../../reports/verdicts/verdict.ts";
import { operations } from "../../schemas/contract.ts";
import { Mix } from "../inputs/mix.ts";
import { MAX_ITERATIONS } from "../k6/requests.ts";
import type { Outcome } from "../k6/responses.ts";
import type { Histogram } from "./recording/histogram.ts";

/** What a run is to send, in its folder. */
export const RUN_FILE = "run.json";

/** The findings of a run, in its folder. */
export const RESULT = "result.json";

const limit = z.number().positive().exactOptional();
const share = z
  .number()
  .min(0)
  .lt(1, "must be a share below 1, which would let every run pass: 1 % is 0.01")
  .exactOptional();

/** The operator's service level objectives, as SLO has them; the specification has none. */
export const Slo = z.strictObject({
  /** The most milliseconds, by operation. */
  latency: z
    .partialRecord(
      z.enum(operations.map(({ id }) => id)),
      z.strictObject({ p50: limit, p95: limit, p99: limit }),
    )
    .exactOptional(),
  /** Of requests without a usable response. */
  technicalFailures: share,
  /** Of valid requests that the API rejects. */
  rejections: share,
  /** Of iterations that k6 may drop because no virtual user is free. */
  dropped: share,
});

/** How many processes of k6 can share a run. */
export const MAX_RUNNERS = 1000;

/**
 * `run.json`, written before k6 starts: every reference that the run can send follows from it. Its numbers decide how much
 * memory the log of the run takes, so those that no run can have are refused.
 */
export const LoadRun = z.object({
  schema: z.literal("payments-conformance/load-run@1"),
  suite: z.object({ version: z.string(), commit: z.string() }),
  target: z.object({
    name: z.string().exactOptional(),
    version: z.string().exactOptional(),
    baseUrl: z.url(),
    embedded: z.boolean(),
  }),
  runId: z.string().regex(/^[\da-f]{8}$/),
  workload: z.string(),
  steps: Mix,
  profile: z.object({
    name: z.string(),
    rate: z.number(),
    seconds: z.number(),
    stages: z.array(z.object({ seconds: z.number(), rate: z.number() })),
  }),
  /** The most iterations that k6 starts; each sends one request. */
  iterations: z.int().min(1).max(MAX_ITERATIONS),
  k6: z.string(),
  /** How many processes of k6 share the load; absent if one sends all of it. */
  runners: z.int().min(1).max(MAX_RUNNERS).exactOptional(),
  startedAt: z.iso.datetime(),
  command: z.string(),
  objectives: Slo.exactOptional(),
});

export type LoadRun = Frozen<z.infer<typeof LoadRun>>;
export type Limits = NonNullable<LoadRun["objectives"]>;

/** The percentiles that objectives may limit. */
export const PERCENTILES = ["p50", "p95", "p99"] as const;
export const REPORTED_PERCENTILES = [...PERCENTILES, "p99.9"] as const;

export type ReportedPercentile = (typeof REPORTED_PERCENTILES)[number];

/** The share of an operation's requests that may fail or be rejected without need, and of iterations that may be dropped, where SLO gives no limit. */
export const DEFAULT_LIMIT = 0.01;
/** One failure among few requests is no share: it breaks no default limit. */
export const FEWEST = 2;

/** How many samples a percentile needs to mean something: the rarest ten of them lie above it. */
export const NEEDED_SAMPLES = { p50: 20, p95: 200, p99: 1000, "p99.9": 10_000 } as const;

/** The share of the values below a percentile: 0.95 for p95. */
export const shareOf = (percentile: ReportedPercentile) => Number(percentile.slice(1)) / 100;

/** How many requests came to each outcome. */
export type Outcomes = Readonly<Partial<Record<Outcome, number>>>;

/** What came back, by operation. */
export type Responses = Readonly<
  Record<string, { readonly outcomes: Outcomes; readonly histogram: Histogram }>
>;

/** How many requests of each operation a run sends. */
export type Planned = Readonly<Record<string, number>>;

export interface OperationSummary {
  readonly planned: number;
  /** Without those that the machine of k6 could not send. */
  readonly requests: number;
  readonly outcomes: Outcomes;
  /** How many valid requests were rejected since the last one that was accepted. */
  readonly rejectedToEnd: number;
  /** A percentile is absent if there are too few samples for it. */
  readonly latencyMs: Readonly<Partial<Record<ReportedPercentile | "min" | "avg" | "max", number>>>;
  readonly histogram: Histogram;
}

export interface Series {
  readonly sliceSeconds: number;
  /** By the time at which the requests were sent, without gaps. */
  readonly slices: readonly { readonly second: number; readonly operations: Responses }[];
}

/** A limit that a run kept or broke, in words. */
export interface Threshold {
  readonly text: string;
  readonly ok: boolean;
  /** Of `failures`, the target is guilty however late k6 was. */
  readonly kind: "failures" | "dropped" | "latency" | "responses";
  /** False if the requests were too few to judge it; then it is `ok`. */
  readonly isJudged?: boolean;
  readonly operation?: string;
}

export interface Summary {
  readonly durationMs: number;
  readonly iterations: number;
  readonly dropped: number;
  /** How late iterations started: the 99th percentile, or the highest one for which there are enough. */
  readonly scheduleLagMs: number;
  readonly operations: Readonly<Record<string, OperationSummary>>;
  readonly thresholds: readonly Threshold[];
  readonly series: Series;
}

export interface Invariant {
  readonly id: InvariantId;
  readonly title: string;
  /**
   * `warned`: the API should not do this, but no harm is proven. `unjudged`: nothing in this deployment shows it, and
   * the verdict does not depend on it.
   */
  readonly state: "held" | "broken" | "undecided" | "warned" | "unjudged";
  /** What was found; it continues the title. */
  readonly text: string;
  /** The references that it is about, or the X-Request-Id of a request without one. */
  readonly references: readonly string[];
}

export type Decision = RunDecision<
  "passed" | "failed" | "undecided" | "interrupted" | "error",
  0 | 1 | 4 | 70 | 130
>;

/** Whether the latencies are the target's: k6 may have been too slow, or the target so slow that k6 had to drop. */
export type Validity = "valid" | "generator-limited" | "target-limited";

/** `result.json`, the findings of a load run. */
export interface LoadResult extends Omit<LoadRun, "schema">, Decision {
  readonly schema: "payments-conformance/load@3";
  readonly finishedAt: string;
  readonly measured?: Summary;
  readonly validity: Validity;
  /** Why the suite stopped the load before its end, if it did. */
  readonly stopped?: string;
  readonly reconciled: number;
  /** What must be true of the target under any load, and whether it was. */
  readonly invariants: readonly Invariant[];
  readonly money: Money;
  readonly problems: readonly string[];
}

/** What must be true of a target under any load. Identifiers are not used again: L12 followed from L1, L2, L5 and L6. */
export const TITLES = {
  L1: "every accepted transfer is listed",
  L2: "no reference is paid twice",
  L3: "every response to a reference has the same transactionId",
  L4: "no two references share a transactionId",
  L5: "no rejected transfer is listed as paid",
  L6: "a transfer with an unknown outcome is made at most once",
  L7: "the list shows no reference of the run that was never sent",
  L8: "every response belongs to its request",
  L9: "every response has its documented shape",
  L10: "the API rejects a key that was never issued",
  L11: "no page has more items than limit",
  L13: "the API recovers after the load",
  L14: "responses do not slow down over the run",
} as const;

export type InvariantId = keyof typeof TITLES;

/** States an invariant; `where` names the transfers that it is about. */
export function invariant(
  id: InvariantId,
  state: Invariant["state"],
  text: string,
  where: readonly ({ readonly reference: string } | string)[] = [],
): Invariant {
  const references = where.map((one) => (typeof one === "string" ? one : one.reference));
  return { id, title: TITLES[id], state, text, references };
}

/** States an invariant that each of `bad` breaks. */
export const brokenBy = (
  bad: readonly ({ readonly reference: string } | string)[],
  id: InvariantId,
  text: { readonly broken: string; readonly held: string },
) => (bad.length > 0 ? invariant(id, "broken", text.broken, bad) : invariant(id, "held", text.held));

/** Sorts invariants by their number. */
export const inOrder = (invariants: readonly Invariant[]) =>
  invariants.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
