import { isTechnicalFailure, type Outcome } from "../k6/outcome.ts";
import { type Objectives, PERCENTILES } from "../k6/thresholds.ts";
import { Histogram } from "./histogram.ts";
import { NEEDED_SAMPLES, type OperationSummary, type Summary, shareOf, type Threshold } from "./summary.ts";

type Operations = Summary["operations"];

/**
 * Judges the limits of a run: each operation must be sent and accepted, and must keep the operator's objectives. A
 * percentile with too few samples is not judged.
 */
export function judgeThresholds(operations: Operations, objectives: Objectives = {}): Threshold[] {
  return [
    ...Object.entries(operations).flatMap(([name, operation]) => [
      ...sentAndAccepted(name, operation),
      ...latencies(name, operation, objectives),
    ]),
    ...share("server errors", objectives.serverErrors, operations, (outcome) => outcome === "server-error"),
    ...share("technical failures", objectives.technicalFailures, operations, isTechnicalFailure),
  ];
}

/** The thresholds that a run broke, in words. */
export const brokenThresholds = ({ thresholds }: Summary): string[] =>
  thresholds.filter(({ ok }) => !ok).map(({ text }) => text);

function sentAndAccepted(name: string, { requests, outcomes }: OperationSummary): Threshold[] {
  if (requests === 0) return [{ text: `k6 sent no ${name} request`, ok: false }];
  return (outcomes.accepted ?? 0) > 0 ? [] : [{ text: `no ${name} request was accepted`, ok: false }];
}

function latencies(name: string, operation: OperationSummary, { latency }: Objectives): Threshold[] {
  const limits = latency?.[name] ?? {};
  const histogram = Histogram.from(operation.histogram);
  return PERCENTILES.flatMap((percentile) => {
    const limit = limits[percentile];
    if (limit === undefined || histogram.count < NEEDED_SAMPLES[percentile]) return [];
    const ok = !histogram.exceeds(limit, shareOf(percentile));
    const value = histogram.percentile(shareOf(percentile));
    const shown = Number((ok ? Math.min(value, limit) : value).toFixed(1));
    const text = `${name} took ${shown} ms at ${percentile} (objective: at most ${limit} ms)`;
    return [{ text, ok }];
  });
}

function share(
  what: string,
  limit: number | undefined,
  operations: Operations,
  isCounted: (outcome: Outcome) => boolean,
): Threshold[] {
  if (limit === undefined) return [];
  const all = Object.values(operations);
  const requests = all.reduce((sum, operation) => sum + operation.requests, 0);
  const counted = all
    .flatMap(({ outcomes }) => Object.entries(outcomes))
    .reduce((sum, [outcome, count]) => sum + (isCounted(outcome as Outcome) ? count : 0), 0);
  const text = `${counted} of ${requests} requests were ${what} (objective: at most ${percent(limit)})`;
  return [{ text, ok: counted <= requests * limit }];
}

const percent = (part: number) => `${Number((part * 100).toPrecision(6))} %`;
