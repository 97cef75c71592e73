import { type Objectives, PERCENTILES } from "../k6/thresholds.ts";
import { judgeDropped, judgeFailures } from "./failures.ts";
import { Histogram } from "./recording/histogram.ts";
import type { Limits } from "./result.ts";
import {
  NEEDED_SAMPLES,
  type OperationSummary,
  type Planned,
  type Summary,
  shareOf,
  type Threshold,
} from "./summary.ts";

/**
 * Judges the limits of a run: each operation must be sent and accepted, or rejected where `refusals` counts requests that ask
 * for it (or either where `undecided` counts all the others), and must keep the operator's objectives. Where these give no
 * limit of failed requests or dropped iterations, the default one stands. A percentile with too few samples is not judged.
 */
export function judgeThresholds(
  measured: Pick<Summary, "operations" | "iterations" | "dropped" | "scheduleLagP99Ms">,
  limits: Limits = {},
  refusals: Planned = {},
  undecided: Planned = {},
): Threshold[] {
  const { operations } = measured;
  return [
    ...Object.entries(operations).flatMap(([name, operation]) => [
      ...sentAndAnswered(name, operation, countOf(refusals, name), countOf(undecided, name)),
      ...judgeLatencies(name, operation, limits).map(({ factor: _, ...threshold }) => threshold),
    ]),
    ...judgeFailures(operations, limits),
    ...judgeDropped(measured, limits),
  ];
}

/** A request that asks for a rejection must get it; the others must be accepted now and then. */
export function sentAndAnswered(
  name: string,
  operation: OperationSummary,
  refusals: number,
  undecided: number,
): Threshold[] {
  const { requests, planned, outcomes } = operation;
  const { accepted = 0, "business-refused": refused = 0 } = outcomes;
  const acceptable = planned - refusals;
  const broken: string[] = [];
  if (requests === 0) broken.push(`k6 sent no ${name} request`);
  else if (acceptable > undecided && accepted === 0) broken.push(`no ${name} request was accepted`);
  if (refusals > 0 && accepted > acceptable)
    broken.push(`the API accepted a ${name} request that it must reject`);
  else if (refusals > 0 && requests > 0 && refused === 0)
    broken.push(`no ${name} request was rejected, although some had to be`);
  return broken.map((text) => ({ kind: "responses", text, ok: false }));
}

const countOf = (counts: Planned, name: string) => new Map(Object.entries(counts)).get(name) ?? 0;

/** A percentile of an operation and its objective. */
export interface JudgedLatency extends Threshold {
  readonly operation: string;
  /** How many times the objective it was: at most 1 if the objective is met. */
  readonly factor: number;
}

/** Judges the percentiles of an operation that have an objective and enough samples. */
export function judgeLatencies(
  name: string,
  { histogram: encoded }: Pick<OperationSummary, "histogram">,
  { latency }: Objectives,
): JudgedLatency[] {
  const limits = latency?.[name] ?? {};
  const histogram = Histogram.from(encoded);
  return PERCENTILES.flatMap((percentile) => {
    const limit = limits[percentile];
    if (limit === undefined || histogram.count < NEEDED_SAMPLES[percentile]) return [];
    const ok = !histogram.exceeds(limit, shareOf(percentile));
    const measured = histogram.percentile(shareOf(percentile));
    const value = ok ? Math.min(measured, limit) : measured;
    const text = `${name} took ${Number(value.toFixed(1))} ms at ${percentile} (objective: at most ${limit} ms)`;
    return [{ kind: "latency", operation: name, factor: value / limit, text, ok }];
  });
}
