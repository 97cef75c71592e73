import type { OperationName } from "./generated/requests.ts";
import { OUTCOMES, type Outcome } from "./outcome.ts";
import { type Percentile, SAMPLES_FOR, STATISTIC } from "./thresholds.ts";

/** The part of k6's end-of-test data that the summary is made of. */
export interface SummaryData {
  readonly state: { readonly testRunDurationMs: number };
  readonly metrics: Readonly<Record<string, Metric | undefined>>;
}

interface Metric {
  readonly values: Readonly<Record<string, number>>;
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
}

/** What k6 measured of one operation. A percentile is there only if enough answers stand behind it. */
export interface OperationSummary {
  readonly planned: number;
  readonly requests: number;
  readonly latencyMs: Readonly<Partial<Record<Percentile | "min" | "avg" | "max", number>>>;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

/** What k6 leaves behind: our own shape, independent of k6's. */
export interface Summary {
  readonly durationMs: number;
  readonly iterations: number;
  readonly dropped: number;
  readonly exceptions: number;
  /** 99th percentile of how late iterations started; absent in the closed model. */
  readonly scheduleLagP99Ms?: number;
  readonly operations: Readonly<Partial<Record<OperationName, OperationSummary>>>;
  readonly thresholds: readonly { readonly metric: string; readonly rule: string; readonly ok: boolean }[];
}

/** Turns k6's end-of-test data into a {@link Summary}. */
export function summarize(data: SummaryData, planned: Partial<Record<OperationName, number>>): Summary {
  const value = (metric: string, statistic: string) => data.metrics[metric]?.values[statistic];
  const lag = value("schedule_lag", STATISTIC.p99);
  const lagged = (value("schedule_lag", "count") ?? 0) > 0;
  return {
    durationMs: data.state.testRunDurationMs,
    iterations: value("iterations", "count") ?? 0,
    dropped: value("dropped_iterations", "count") ?? 0,
    exceptions: value("exceptions", "count") ?? 0,
    ...(lagged && lag !== undefined && { scheduleLagP99Ms: lag }),
    operations: Object.fromEntries(
      Object.entries(planned).map(([name, count]) => [name, operationSummary(name, count, value)]),
    ),
    thresholds: Object.entries(data.metrics).flatMap(([metric, found]) =>
      Object.entries(found?.thresholds ?? {}).map(([rule, { ok }]) => ({ metric, rule, ok })),
    ),
  };
}

function operationSummary(
  name: string,
  planned: number,
  value: (metric: string, statistic: string) => number | undefined,
): OperationSummary {
  const latency = `latency{name:${name}}`;
  const samples = value(latency, "count") ?? 0;
  const percentiles = (Object.keys(SAMPLES_FOR) as Percentile[]).filter(
    (name) => samples >= SAMPLES_FOR[name],
  );
  const statistics = samples > 0 ? (["min", "avg", "max"] as const) : [];
  return {
    planned,
    requests: value(`http_reqs{name:${name}}`, "count") ?? 0,
    latencyMs: Object.fromEntries([
      ...statistics.map((statistic) => [statistic, value(latency, statistic)]),
      ...percentiles.map((percentile) => [percentile, value(latency, STATISTIC[percentile])]),
    ]),
    outcomes: Object.fromEntries(
      OUTCOMES.map((outcome) => [
        outcome,
        value(`outcomes{name:${name},outcome:${outcome}}`, "count") ?? 0,
      ]).filter(([, count]) => count !== 0),
    ),
  };
}
