import type { OperationName } from "./generated/requests.ts";
import { OUTCOMES, type Outcome } from "./outcome.ts";
import { MIN_SAMPLES, PERCENTILES, type Percentile, STATISTIC } from "./thresholds.ts";

/** The part of k6's end-of-test data that the summary needs. */
export interface SummaryData {
  readonly state: { readonly testRunDurationMs: number };
  readonly metrics: Readonly<Record<string, Metric | undefined>>;
}

interface Metric {
  readonly values: Readonly<Record<string, number>>;
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
}

/** What k6 measured for one operation. A percentile is absent if there are too few samples for it. */
export interface OperationSummary {
  readonly planned: number;
  readonly requests: number;
  readonly latencyMs: Readonly<Partial<Record<Percentile | "min" | "avg" | "max", number>>>;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

export interface ThresholdResult {
  readonly metric: string;
  readonly rule: string;
  readonly ok: boolean;
}

/** What k6 measured, in a shape of ours that does not depend on k6's. */
export interface Summary {
  readonly runId: string;
  readonly durationMs: number;
  readonly iterations: number;
  readonly dropped: number;
  readonly exceptions: number;
  /** The 99th percentile of how late iterations started; absent in the closed model. */
  readonly scheduleLagP99Ms?: number;
  readonly operations: Readonly<Partial<Record<OperationName, OperationSummary>>>;
  readonly thresholds: readonly ThresholdResult[];
}

type Statistic = (metric: string, statistic: string) => number | undefined;

/** Summarizes what k6 measured in the run with this id, of which `planned` requests were to be sent. */
export function summarize(
  runId: string,
  data: SummaryData,
  planned: Partial<Record<OperationName, number>>,
): Summary {
  const statistic: Statistic = (metric, name) => data.metrics[metric]?.values[name];
  const count = (metric: string) => statistic(metric, "count") ?? 0;
  const lag = count("schedule_lag") > 0 ? statistic("schedule_lag", STATISTIC.p99) : undefined;
  return {
    runId,
    durationMs: data.state.testRunDurationMs,
    iterations: count("iterations"),
    dropped: count("dropped_iterations"),
    exceptions: count("exceptions"),
    ...(lag !== undefined && { scheduleLagP99Ms: lag }),
    operations: Object.fromEntries(
      Object.entries(planned).map(([name, requests]) => [name, operationSummary(name, requests, statistic)]),
    ),
    thresholds: thresholdResults(data),
  };
}

function operationSummary(name: string, planned: number, statistic: Statistic): OperationSummary {
  const outcomes = OUTCOMES.map(
    (outcome) => [outcome, statistic(`outcomes{name:${name},outcome:${outcome}}`, "count") ?? 0] as const,
  );
  return {
    planned,
    requests: statistic(`http_reqs{name:${name}}`, "count") ?? 0,
    latencyMs: latencyOf(name, statistic),
    outcomes: Object.fromEntries(outcomes.filter(([, count]) => count > 0)),
  };
}

function latencyOf(name: string, statistic: Statistic): OperationSummary["latencyMs"] {
  const latency = `latency{name:${name}}`;
  const samples = statistic(latency, "count") ?? 0;
  if (samples === 0) return {};
  const percentiles = PERCENTILES.filter((one) => samples >= MIN_SAMPLES[one]);
  return Object.fromEntries([
    ...["min", "avg", "max"].map((one) => [one, statistic(latency, one)]),
    ...percentiles.map((one) => [one, statistic(latency, STATISTIC[one])]),
  ]);
}

const thresholdResults = ({ metrics }: SummaryData): ThresholdResult[] =>
  Object.entries(metrics).flatMap(([metric, found]) =>
    Object.entries(found?.thresholds ?? {}).map(([rule, { ok }]) => ({ metric, rule, ok })),
  );
