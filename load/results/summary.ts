import { z } from "zod";
import type { OperationId } from "../../schemas/contract.ts";
import { OUTCOMES, type Outcome } from "../k6/outcome.ts";

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

const EncodedHistogram = z.object({
  min: milliseconds.exactOptional(),
  max: milliseconds.exactOptional(),
  sum: milliseconds.exactOptional(),
  /** `<bucket>:<count>` for each bucket that is not empty; `load/results/recording/histogram.ts` has the edges. */
  buckets: z.string().regex(/^(\d+:\d+( \d+:\d+)*)?$/),
});

const Outcomes = z.partialRecord(z.enum(OUTCOMES), count);

const OperationSummary = z.object({
  planned: count,
  requests: count,
  outcomes: Outcomes,
  /** A percentile is absent if there are too few samples for it. */
  latencyMs: z.partialRecord(z.enum([...REPORTED_PERCENTILES, "min", "avg", "max"]), milliseconds),
  histogram: EncodedHistogram,
});

const SliceOfOperation = OperationSummary.pick({ outcomes: true, histogram: true });

const Series = z.object({
  sliceSeconds: z.number().positive(),
  /** By the time at which the requests were due. Slices without requests are absent. */
  slices: z.array(
    z.object({ second: z.number().nonnegative(), operations: z.record(z.string(), SliceOfOperation) }),
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
  /** The operation whose latency it limits. */
  operation: z.string().exactOptional(),
});

/** What was measured, in the member `measured` of `result.json`. */
export const SummaryFile = z.object({
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

export type Frozen<T> = { readonly [K in keyof T]: T[K] extends object | undefined ? Frozen<T[K]> : T[K] };

export type Series = Frozen<z.infer<typeof Series>>;
export type OperationSummary = Frozen<z.infer<typeof OperationSummary>>;
export type Summary = Frozen<z.infer<typeof SummaryFile>>;
/** What came back, by operation. */
export type Responses = Series["slices"][number]["operations"];
/** How many requests came to each outcome. */
export type Outcomes = Readonly<Partial<Record<Outcome, number>>>;
export type Threshold = Frozen<z.infer<typeof Threshold>>;
export type EncodedHistogram = OperationSummary["histogram"];

/** How many requests of each operation a run sends. */
export type Planned = Readonly<Partial<Record<OperationId, number>>>;
