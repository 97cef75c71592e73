import { countIn, type OUTCOME_COLUMNS } from "../outcome-counts.ts";
import { Histogram } from "../recording/histogram.ts";
import { NEEDED_SAMPLES, type ReportedPercentile, type Series, shareOf } from "../summary.ts";

/** What happened in one slice of a run, over all operations. */
export interface Moment {
  readonly second: number;
  readonly sent: number;
  readonly counts: Readonly<Record<(typeof OUTCOME_COLUMNS)[number], number>>;
  readonly histogram: Histogram;
}

export interface Point {
  readonly x: number;
  /** `null` interrupts the line. */
  readonly y: number | null;
}

/**
 * Lists the slices of a run without a gap. The last one is left out where there are others: it covers only a part of its
 * seconds, and its rate would look like a fall.
 */
export function momentsOf({ sliceSeconds, slices }: Series): Moment[] {
  const last = Math.max(0, ...slices.map(({ second }) => second));
  const bySecond = new Map(slices.map((slice) => [slice.second, slice]));
  const length = Math.max(1, Math.round(last / sliceSeconds));
  return Array.from({ length }, (_, index) => {
    const second = index * sliceSeconds;
    const operations = Object.values(bySecond.get(second)?.operations ?? {});
    const sumOf = (column: (typeof OUTCOME_COLUMNS)[number]) =>
      operations.reduce((sum, { outcomes }) => sum + countIn(column, outcomes), 0);
    const histogram = new Histogram();
    for (const one of operations) histogram.addAll(Histogram.from(one.histogram));
    const counts = {
      accepted: sumOf("accepted"),
      refused: sumOf("refused"),
      throttled: sumOf("throttled"),
      errors: sumOf("errors"),
      unknown: sumOf("unknown"),
    };
    return { second, sent: Object.values(counts).reduce((sum, one) => sum + one, 0), counts, histogram };
  });
}

/** A value that holds for a whole slice. */
export const stepOf = ({ second }: Moment, sliceSeconds: number, y: number | null): Point[] => [
  { x: second, y },
  { x: second + sliceSeconds, y },
];

/** The steps of a percentile over time: each covers as many slices as it takes to have enough responses. */
export function percentileSteps(
  moments: readonly Moment[],
  percentile: ReportedPercentile,
  sliceSeconds: number,
): Point[] {
  const points: Point[] = [];
  let from: number | undefined;
  let window = new Histogram();
  for (const { second, histogram } of moments) {
    from ??= second;
    window.addAll(histogram);
    if (window.count < NEEDED_SAMPLES[percentile]) continue;
    const y = window.percentile(shareOf(percentile));
    points.push({ x: from, y }, { x: second + sliceSeconds, y });
    from = undefined;
    window = new Histogram();
  }
  return points;
}
