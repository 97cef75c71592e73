import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArrivalTimes } from "../k6/arrivals.ts";
import { shaped } from "../k6/profiles.ts";

/** When k6's executor starts its iterations: as its documentation says, at each whole number of the rate's integral. */
function startsOf({ startRate, stages }: ReturnType<ArrivalTimes["toExecutor"]>): number[] {
  const starts: number[] = [];
  let [from, area, now] = [startRate / 1000, 0, 0];
  for (const { target, duration } of stages) {
    const to = target / 1000;
    const seconds = Number.parseInt(duration, 10) / (duration.endsWith("us") ? 1e6 : 1);
    const slope = seconds > 0 ? (to - from) / seconds : 0;
    const end = area + (seconds * (from + to)) / 2;
    while (starts.length + 1 <= end) {
      const count = starts.length + 1 - area;
      const into = slope === 0 ? count / from : (Math.sqrt(from * from + 2 * slope * count) - from) / slope;
      starts.push((now + into) * 1000);
    }
    [from, area, now] = [to, end, now + seconds];
  }
  return starts;
}

const stage = fc.record({
  seconds: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 20_000 }).map((ms) => ms / 1000),
  ),
  rate: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 300_000 }).map((rate) => rate / 1000),
  ),
});

/** 402.99998 iterations: durations that are rounded up would make k6 start one more. */
const ALMOST_ONE_MORE = [
  { seconds: 8.284, rate: 29.964 },
  { seconds: 10.316, rate: 0 },
  { seconds: 9.148, rate: 0.027 },
  { seconds: 7.171, rate: 0.001 },
];

describe("arrival times", () => {
  it("are those at which k6 starts its iterations, for any shape", () => {
    fc.assert(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 6 }), (stages) => {
        const times = new ArrivalTimes(shaped(stages));
        const due = Array.from({ length: times.count }, (_, iteration) => times.dueMs(iteration));

        const starts = startsOf(times.toExecutor());

        expect(starts).toHaveLength(times.count);
        const furthest = starts.reduce(
          (most, start, at) => Math.max(most, Math.abs(start - (due[at] ?? 0))),
          0,
        );
        expect(furthest).toBeLessThan(1);
      }),
      { numRuns: 60, examples: [[ALMOST_ONE_MORE]] },
    );
  });
});
