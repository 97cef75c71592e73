import { z } from "zod";
import { Money } from "../../reports/verdicts/verdict.ts";
import { operations } from "../../schemas/contract.ts";
import type { Steps } from "../k6/requests.ts";
import { OUTCOMES, type Outcome } from "../k6/responses.ts";
import { Histogram, HistogramFile } from "./recording/histogram.ts";

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

/** The members that `run.json` and `result.json` share; `steps` aside, which a run may follow and a result only shows. */
export const RUN = {
  suite: z.object({ version: z.string(), commit: z.string() }),
  target: z.object({
    name: z.string().exactOptional(),
    version: z.string().exactOptional(),
    baseUrl: z.url(),
    embedded: z.boolean(),
  }),
  runId: z.string().regex(/^[\da-f]{8}$/),
  workload: z.string(),
  profile: z.object({
    name: z.string(),
    model: z.enum(["open", "closed"]),
    rate: z.number(),
    seconds: z.number(),
    stages: z.array(z.object({ seconds: z.number(), rate: z.number() })).exactOptional(),
  }),
  /** The most iterations that k6 starts; each sends one request. */
  iterations: z.int(),
  k6: z.string(),
  /** How many processes of k6 shared the load; absent if one sent all of it. */
  runners: z.int().exactOptional(),
  startedAt: z.iso.datetime(),
  command: z.string(),
  objectives: Slo.exactOptional(),
};

/** `run.json`, written before k6 starts: every reference that the run can send follows from it. */
export type LoadRun = Frozen<z.infer<z.ZodObject<typeof RUN>>> & {
  readonly schema: "payments-conformance/load-run@1";
  readonly steps?: Steps;
};

/** The percentiles that objectives may limit. */
export const PERCENTILES = ["p50", "p95", "p99"] as const;
export const REPORTED_PERCENTILES = [...PERCENTILES, "p99.9"] as const;

export type ReportedPercentile = (typeof REPORTED_PERCENTILES)[number];

/** How many samples a percentile needs to mean something: the rarest ten of them lie above it. */
export const NEEDED_SAMPLES = { p50: 20, p95: 200, p99: 1000, "p99.9": 10_000 } as const;

/** The share of the values below a percentile: 0.95 for p95. */
export const shareOf = (percentile: ReportedPercentile) => Number(percentile.slice(1)) / 100;

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative();

const OperationSummary = z.object({
  planned: count,
  /** Without those that the machine of k6 could not send. */
  requests: count,
  outcomes: z.partialRecord(z.enum(OUTCOMES), count),
  /** How many valid requests were rejected since the last one that was accepted. */
  rejectedToEnd: count.exactOptional(),
  /** A percentile is absent if there are too few samples for it. */
  latencyMs: z.partialRecord(z.enum([...REPORTED_PERCENTILES, "min", "avg", "max"]), milliseconds),
  histogram: HistogramFile.transform(Histogram.from),
});

const Series = z.object({
  sliceSeconds: z.number().positive(),
  /** By the time at which the requests were due. Slices without requests are absent. */
  slices: z.array(
    z.object({
      second: z.number().nonnegative(),
      operations: z.record(z.string(), OperationSummary.pick({ outcomes: true, histogram: true })),
    }),
  ),
});

/** A limit that a run kept or broke, in words. */
const Threshold = z.object({
  text: z.string(),
  ok: z.boolean(),
  /** Of `failures`, the target is guilty however late k6 was. */
  kind: z.enum(["failures", "dropped", "latency", "responses"]).exactOptional(),
  /** Whether the limit is the suite's own, because SLO gives none. */
  isDefault: z.boolean().exactOptional(),
  /** False if the requests were too few to judge it; then it is `ok`. */
  isJudged: z.boolean().exactOptional(),
  operation: z.string().exactOptional(),
});

const Summary = z.object({
  durationMs: milliseconds,
  iterations: count,
  dropped: count,
  exceptions: count,
  /** The 99th percentile of how late iterations started; absent in the closed model. */
  scheduleLagP99Ms: milliseconds.exactOptional(),
  operations: z.record(z.string(), OperationSummary),
  thresholds: z.array(Threshold),
  series: Series,
});

/** `result.json`, the findings of a load run. A file may name operations that this version does not know. */
export const LoadResultFile = z.object({
  ...RUN,
  schema: z.literal("payments-conformance/load@2"),
  steps: z.array(z.object({ operation: z.string(), weight: z.number() })).exactOptional(),
  finishedAt: z.iso.datetime(),
  measured: Summary.exactOptional(),
  /** Whether the latencies are the target's: k6 may have been too slow, or the target so slow that k6 had to drop. */
  validity: z.enum(["valid", "generator-limited", "target-limited"]),
  /** Why the suite stopped the load before its end, if it did. */
  stopped: z.string().exactOptional(),
  reconciled: z.int(),
  /** What must be true of the target under any load, and whether it was. */
  invariants: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      /**
       * `warned`: the API should not do this, but no harm is proven. `unjudged`: nothing in this deployment shows it, and
       * the verdict does not depend on it.
       */
      state: z.enum(["held", "broken", "undecided", "warned", "unjudged"]),
      /** What was found; it continues the title. */
      text: z.string(),
      /** The references that it is about, or the X-Request-Id of a request without one. */
      references: z.array(z.string()),
    }),
  ),
  money: Money,
  problems: z.array(z.string()),
  outcome: z.enum(["passed", "failed", "undecided", "interrupted", "error"]),
  exitCode: z.literal([0, 1, 4, 70, 130]),
  because: z.string(),
});

export type LoadResult = Frozen<z.infer<typeof LoadResultFile>>;
export type Decision = Pick<LoadResult, "outcome" | "exitCode" | "because">;
export type Limits = NonNullable<LoadRun["objectives"]>;
export type Validity = LoadResult["validity"];

type Frozen<T> = T extends Histogram ? T : { readonly [K in keyof T]: Frozen<T[K]> };

export type Series = Frozen<z.infer<typeof Series>>;
export type OperationSummary = Frozen<z.infer<typeof OperationSummary>>;
export type Summary = Frozen<z.infer<typeof Summary>>;
/** What came back, by operation. */
export type Responses = Series["slices"][number]["operations"];
/** How many requests came to each outcome. */
export type Outcomes = Readonly<Partial<Record<Outcome, number>>>;
export type Threshold = Frozen<z.infer<typeof Threshold>>;

/** How many requests of each operation a run sends. */
export type Planned = Readonly<Record<string, number>>;

const TITLES = {
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
  L12: "every listed transfer settles in one status",
  L13: "the API recovers after the load",
  L14: "responses do not slow down over the run",
} as const;

export type InvariantId = keyof typeof TITLES;
export type Invariant = LoadResult["invariants"][number] & { readonly id: InvariantId };

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
