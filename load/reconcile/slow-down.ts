import { Histogram } from "../results/recording/histogram.ts";
import type { Series } from "../results/summary.ts";

/** A run is compared in tenths, by the medians of their response times. */
const PART = 0.1;
const MIN_SAMPLES = 20;
/** The last tenth may take so many times as long as the first one; a smaller difference may be noise. */
const MOST_FACTOR = 2;
const LEAST_DIFFERENCE_MS = 10;

/**
 * The operations whose last tenth took much longer than their first, and how many operations could be compared, in a run
 * of so many seconds.
 */
export function slowedDown(series: Series, seconds: number) {
  // The one request that is due at the very end has a slice of its own.
  const slices = series.slices.filter(({ second }) => second < seconds);
  const length = Math.max(1, Math.floor(slices.length * PART));
  const [first, last] = [mediansOf(slices.slice(0, length)), mediansOf(slices.slice(-length))];
  const both = [...first].flatMap(([operation, before]) => {
    const after = last.get(operation);
    return after === undefined ? [] : [{ operation, first: before, last: after }];
  });
  const slower = both.filter(
    ({ first, last }) => last > first * MOST_FACTOR && last - first > LEAST_DIFFERENCE_MS,
  );
  return { compared: slices.length > 1 ? both.length : 0, slower };
}

/** The median of each operation that has enough samples in these slices of time. */
function mediansOf(slices: Series["slices"]): Map<string, number> {
  const histograms = new Map<string, Histogram>();
  for (const { operations } of slices)
    for (const [operation, { histogram }] of Object.entries(operations)) {
      const sum = histograms.get(operation) ?? new Histogram();
      histograms.set(operation, sum.addAll(Histogram.from(histogram)));
    }
  const enough = [...histograms].filter(([, { count }]) => count >= MIN_SAMPLES);
  return new Map(enough.map(([operation, histogram]) => [operation, histogram.percentile(0.5)]));
}
