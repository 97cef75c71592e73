import { isTechnicalFailure, type Outcome } from "../k6/outcome.ts";
import type { LoadResult } from "../results/result.ts";
import { REPORTED_PERCENTILES, type ReportedPercentile } from "../results/summary.ts";
import { type Band, bandOf, medianOf } from "./noise.ts";

export type Verdict = "worse" | "better" | "same";

/** A percentile of an operation in the base and in the candidate: the medians of their runs. */
export interface LatencyChange {
  readonly operation: string;
  readonly percentile: ReportedPercentile;
  readonly baseMs: number;
  readonly candidateMs: number;
  readonly band: Band;
  readonly verdict: Verdict;
}

/** The share of the requests of an operation that got no usable response. */
export interface FailureChange {
  readonly operation: string;
  readonly base: number;
  readonly candidate: number;
  readonly verdict: Verdict;
}

export interface Comparison {
  readonly latencies: readonly LatencyChange[];
  readonly failures: readonly FailureChange[];
  /** The invariants that a run of the candidate broke and no run of the base did. */
  readonly newlyBroken: readonly string[];
}

/** Milliseconds below which a change of latency is the clock's: schedule lag is measured in whole milliseconds. */
const CLOCK_MS = 1;

/** Compares runs of a candidate with runs of the base; `assumedNoise` is the band if there are too few base runs. */
export function compare(
  base: readonly LoadResult[],
  candidate: readonly LoadResult[],
  assumedNoise: number,
): Comparison {
  const operations = [...new Set(base.flatMap((run) => Object.keys(run.measured?.operations ?? {})))];
  return {
    latencies: operations.flatMap((operation) =>
      REPORTED_PERCENTILES.flatMap((percentile) => {
        const valuesOf = (runs: readonly LoadResult[]) =>
          runs.flatMap((run) => run.measured?.operations[operation]?.latencyMs[percentile] ?? []);
        const [before, after] = [valuesOf(base), valuesOf(candidate)];
        if (before.length === 0 || after.length === 0) return [];
        return [latencyChange(operation, percentile, before, after, assumedNoise)];
      }),
    ),
    failures: operations.flatMap((operation) => failureChange(operation, base, candidate)),
    newlyBroken: brokenIn(candidate).filter((id) => !brokenIn(base).includes(id)),
  };
}

export const isWorse = ({ latencies, failures, newlyBroken }: Comparison): boolean =>
  newlyBroken.length > 0 || [...latencies, ...failures].some(({ verdict }) => verdict === "worse");

function latencyChange(
  operation: string,
  percentile: ReportedPercentile,
  before: readonly number[],
  after: readonly number[],
  assumedNoise: number,
): LatencyChange {
  const [baseMs, candidateMs] = [medianOf(before), medianOf(after)];
  const band = bandOf(before, after.length, assumedNoise);
  const isClock = Math.abs(candidateMs - baseMs) <= CLOCK_MS;
  const factor = candidateMs / baseMs;
  const verdict = isClock ? "same" : factor > band.to ? "worse" : factor < band.from ? "better" : "same";
  return { operation, percentile, baseMs, candidateMs, band, verdict };
}

/** With a difference of more standard errors than this, two shares differ in 99.7 of 100 cases. */
const STANDARD_ERRORS = 3;

function failureChange(
  operation: string,
  base: readonly LoadResult[],
  candidate: readonly LoadResult[],
): FailureChange[] {
  const [before, after] = [failuresOf(operation, base), failuresOf(operation, candidate)];
  if (before.requests === 0 || after.requests === 0 || before.failed + after.failed === 0) return [];
  const pooled = (before.failed + after.failed) / (before.requests + after.requests);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.requests + 1 / after.requests));
  const [was, is] = [before.failed / before.requests, after.failed / after.requests];
  const isChange = Math.abs(is - was) > STANDARD_ERRORS * error;
  const verdict = !isChange ? "same" : is > was ? "worse" : "better";
  return [{ operation, base: was, candidate: is, verdict }];
}

function failuresOf(operation: string, runs: readonly LoadResult[]) {
  let [requests, failed] = [0, 0];
  for (const run of runs) {
    const found = run.measured?.operations[operation];
    requests += found?.requests ?? 0;
    for (const [outcome, count] of Object.entries(found?.outcomes ?? {}))
      if (outcome === "throttled" || isTechnicalFailure(outcome as Outcome)) failed += count;
  }
  return { requests, failed };
}

const brokenIn = (runs: readonly LoadResult[]) => [
  ...new Set(
    runs.flatMap(({ invariants }) =>
      invariants.filter(({ state }) => state === "broken").map(({ id, title }) => `${id} (${title})`),
    ),
  ),
];
