import { percent } from "../../reports/text/wording.ts";
import { isTechnicalFailure, type Outcome } from "../k6/outcome.ts";
import { type Objectives, PERCENTILES } from "../k6/thresholds.ts";
import { requestsIn } from "./outcome-counts.ts";
import { Histogram } from "./recording/histogram.ts";
import {
  NEEDED_SAMPLES,
  type OperationSummary,
  type Planned,
  type Summary,
  shareOf,
  type Threshold,
} from "./summary.ts";

type Operations = Summary["operations"];

/** What came back, by operation. */
export type Answered = Readonly<Record<string, Pick<OperationSummary, "outcomes" | "histogram">>>;

/**
 * Judges the limits of a run: each operation must be sent and accepted, or rejected where `refusals` counts requests that ask
 * for it (or either where `undecided` counts all the others), and must keep the operator's objectives. A percentile with too few samples is not judged.
 */
export function judgeThresholds(
  operations: Operations,
  objectives: Objectives = {},
  refusals: Planned = {},
  undecided: Planned = {},
): Threshold[] {
  return [
    ...Object.entries(operations).flatMap(([name, operation]) => [
      ...sentAndAnswered(name, operation, countOf(refusals, name), countOf(undecided, name)),
      ...judgeLatencies(name, operation, objectives).map(({ text, ok }) => ({ text, ok })),
    ]),
    ...judgeShares(operations, objectives),
  ];
}

/** Judges the shares of requests that failed. */
export const judgeShares = (operations: Answered, objectives: Objectives): Threshold[] => [
  ...share("server errors", objectives.serverErrors, operations, (outcome) => outcome === "server-error"),
  ...share("technical failures", objectives.technicalFailures, operations, isTechnicalFailure),
];

/** The thresholds that a run broke, in words. */
export const brokenThresholds = ({ thresholds }: Summary): string[] =>
  thresholds.filter(({ ok }) => !ok).map(({ text }) => text);

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
  return broken.map((text) => ({ text, ok: false }));
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
    return [{ operation: name, factor: value / limit, text, ok }];
  });
}

function share(
  what: string,
  limit: number | undefined,
  operations: Answered,
  isCounted: (outcome: Outcome) => boolean,
): Threshold[] {
  if (limit === undefined) return [];
  const requests = requestsIn({ operations });
  const counted = requestsIn({ operations }, isCounted);
  const text = `${counted} of ${requests} requests were ${what} (objective: at most ${percent(limit)})`;
  return [{ text, ok: counted <= requests * limit }];
}
