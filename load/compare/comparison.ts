import { percent } from "../../reports/wording.ts";
import { isTechnicalFailure } from "../k6/responses.ts";
import { addOutcomes, countOf } from "../results/outcome-counts.ts";
import { type LoadResult, REPORTED_PERCENTILES } from "../results/result.ts";

export type Verdict = "worse" | "better" | "same";
type Runs = readonly LoadResult[];

/** Compares runs of a candidate with runs of the base; `assumedNoise` is the band if there are too few base runs. */
export function changesBetween(base: Runs, candidate: Runs, assumedNoise: number) {
  const operations = [...new Set(base.flatMap((run) => Object.keys(run.measured?.operations ?? {})))];
  const latencies = operations.flatMap((operation) =>
    REPORTED_PERCENTILES.flatMap((percentile) => {
      const valuesOf = (runs: Runs) =>
        runs.flatMap((run) => run.measured?.operations[operation]?.latencyMs[percentile] ?? []);
      const [before, after] = [valuesOf(base), valuesOf(candidate)];
      if (before.length === 0 || after.length === 0) return [];
      return [{ operation, percentile, ...latencyChange(before, after, assumedNoise) }];
    }),
  );
  const failures = operations.flatMap((operation) => failureChange(operation, base, candidate));
  /** The invariants that a run of the candidate broke and no run of the base did. */
  const newlyBroken = [...new Set(brokenIn(candidate))].filter((id) => !brokenIn(base).includes(id));
  return { latencies, failures, newlyBroken };
}

const brokenIn = (runs: Runs): string[] =>
  runs.flatMap(({ invariants }) =>
    invariants.flatMap(({ id, title, state }) => (state === "broken" ? [`${id} (${title})`] : [])),
  );

/** Milliseconds below which a change of latency is the clock's: schedule lag is measured in whole milliseconds. */
const CLOCK_MS = 1;

/** A percentile of an operation in the base and in the candidate: the medians of their runs. */
function latencyChange(before: readonly number[], after: readonly number[], assumedNoise: number) {
  const [baseMs, candidateMs] = [medianOf(before), medianOf(after)];
  const band = bandOf(before, after.length, assumedNoise);
  const factor = candidateMs / baseMs;
  const isSame = Math.abs(candidateMs - baseMs) <= CLOCK_MS || (factor <= band.to && factor >= band.from);
  return { baseMs, candidateMs, band, verdict: verdictOn(!isSame, factor > 1) };
}

const verdictOn = (isChange: boolean, isMore: boolean): Verdict =>
  isChange ? (isMore ? "worse" : "better") : "same";

/** With a difference of more standard errors than this, two shares differ in 99.7 of 100 cases. */
const STANDARD_ERRORS = 3;

/** The share of the requests of an operation that got no usable response. */
function failureChange(operation: string, base: Runs, candidate: Runs) {
  const [before, after] = [failuresOf(operation, base), failuresOf(operation, candidate)];
  if (before.requests === 0 || after.requests === 0 || before.failed + after.failed === 0) return [];
  const pooled = (before.failed + after.failed) / (before.requests + after.requests);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.requests + 1 / after.requests));
  const [was, is] = [before.failed / before.requests, after.failed / after.requests];
  const isChange = Math.abs(is - was) > STANDARD_ERRORS * error;
  const text = `${percent(was, 3)} throttled or failed, now ${percent(is, 3)}`;
  return [{ operation, text, verdict: verdictOn(isChange, is > was) }];
}

function failuresOf(operation: string, runs: Runs) {
  const outcomes = addOutcomes(runs.flatMap((run) => run.measured?.operations[operation] ?? []));
  const failed = countOf(outcomes, (one) => one === "throttled" || isTechnicalFailure(one));
  return { requests: countOf(outcomes), failed };
}

/** Fewer base runs say too little about how much they differ. */
export const MIN_BASE_RUNS = 3;

/**
 * Quantiles of Student's t for 99 % (both sides), by degrees of freedom from 2. A comparison has some ten figures, and one
 * in a hundred may then be called a change without being one.
 */
const T_99 = [9.92, 5.84, 4.6, 4.03, 3.71, 3.5, 3.36, 3.25, 3.17, 3.11, 3.05, 3.01, 2.98] as const;
const T_99_MANY = 2.95;

/** The width of a bucket of the histograms. */
const RESOLUTION = 0.016;

/**
 * The band in which the median of `repeats` further runs lies in 99 of 100 cases, as factors of the base (from 0.9 to 1.1 is
 * ten percent either way). It is `isMeasured` if there are enough base runs, and otherwise the share `assumed` either way.
 */
export function bandOf(base: readonly number[], repeats: number, assumed: number) {
  const isMeasured = base.length >= MIN_BASE_RUNS;
  const spread = isMeasured ? spreadOf(base, repeats) : Math.log1p(assumed);
  const width = Math.max(spread, Math.log1p(RESOLUTION));
  return { from: Math.exp(-width), to: Math.exp(width), isMeasured };
}

/** Latencies vary by factors, hence the logarithms. */
function spreadOf(values: readonly number[], repeats: number): number {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1);
  const t = T_99[logs.length - MIN_BASE_RUNS] ?? T_99_MANY;
  return t * Math.sqrt(variance * (1 / logs.length + 1 / repeats));
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
