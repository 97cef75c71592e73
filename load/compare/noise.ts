/** How much a value changes from run to run, as factors of the base: from 0.9 to 1.1 is ten percent either way. */
export interface Band {
  readonly from: number;
  readonly to: number;
  /** Whether the base runs showed it. */
  readonly isMeasured: boolean;
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
 * The band in which the median of `repeats` further runs lies in 99 of 100 cases, from the values of the base runs; with
 * fewer than three of them, the share `assumed` of the base either way. Latencies vary by factors, hence the logarithms.
 */
export function bandOf(base: readonly number[], repeats: number, assumed: number): Band {
  const isMeasured = base.length >= MIN_BASE_RUNS;
  const spread = isMeasured ? spreadOf(base, repeats) : Math.log1p(assumed);
  const width = Math.max(spread, Math.log1p(RESOLUTION));
  return { from: Math.exp(-width), to: Math.exp(width), isMeasured };
}

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
