import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Histogram } from "./histogram.ts";

const of = (values: readonly number[]) => {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value);
  return histogram;
};

const durations = fc.array(fc.double({ min: 0.2, max: 900_000, noNaN: true }), { minLength: 1 });
const part = fc.double({ min: 0, max: 1, noNaN: true });

describe("Histogram", () => {
  it("knows each percentile to 1.6 % of the value", () => {
    fc.assert(
      fc.property(durations, part, (values, share) => {
        const exact =
          values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1] ?? 0;

        const found = of(values).percentile(share);

        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.016);
      }),
    );
  });
});
