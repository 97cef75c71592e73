import type { Series } from "./summary.ts";

/** Where the target began to throttle. */
export interface Throttling {
  /** Seconds since the start of the load. */
  readonly second: number;
  /** What k6 sent per second when the first 429 or 503 came. */
  readonly sentPerSecond: number;
  /** What the target let through per second while it throttled, on average. */
  readonly servedPerSecond: number;
}

/** Finds where a run began to be throttled; `undefined` if it was not. */
export function throttlingIn({ sliceSeconds, slices }: Series): Throttling | undefined {
  const counted = slices.map(({ second, operations }) => {
    const outcomes = Object.values(operations).flatMap((one) => Object.entries(one.outcomes));
    const sumOf = (isCounted: (outcome: string) => boolean) =>
      outcomes.reduce((sum, [outcome, count]) => sum + (isCounted(outcome) ? count : 0), 0);
    return {
      second,
      sent: sumOf(() => true),
      throttled: sumOf((outcome) => outcome === "throttled"),
    };
  });
  const throttled = counted.filter((slice) => slice.throttled > 0);
  const [first] = throttled;
  if (!first) return undefined;
  // In the first slice the target throttled for a part of the time only.
  const whole = throttled.length > 1 ? throttled.slice(1) : throttled;
  const served = whole.reduce((sum, slice) => sum + slice.sent - slice.throttled, 0);
  return {
    second: first.second,
    sentPerSecond: first.sent / sliceSeconds,
    servedPerSecond: served / whole.length / sliceSeconds,
  };
}

export const throttlingText = ({ second, sentPerSecond, servedPerSecond }: Throttling): string =>
  `The target began to throttle (429, or 503 with Retry-After) at ${sentPerSecond.toFixed(1)} requests/s, ${second} s into the load, and served ${servedPerSecond.toFixed(1)}/s while it throttled`;
