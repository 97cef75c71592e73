import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundsOf, mostOf, nextTry, ratesUpTo, type Try } from "./search.ts";

/** Searches a deployment that answers with `holds`, beginning at `hint`. */
function search(count: number, hint: number, holds: (index: number) => boolean): Try[] {
  const tries: Try[] = [];
  for (;;) {
    const index = nextTry(count, hint, tries);
    if (index === undefined) return tries;
    tries.push({ index, held: holds(index) });
  }
}

const tops = fc.double({ min: 0.5, max: 100_000, noNaN: true });
const searches = fc
  .integer({ min: 1, max: 80 })
  .chain((count) => fc.tuple(fc.constant(count), fc.nat(count - 1), fc.integer({ min: -1, max: count })));

describe("ratesUpTo", () => {
  it("ends with the highest rate, and has neighbours that differ by at most 5 %", () => {
    fc.assert(
      fc.property(tops, (top) => {
        const rates = ratesUpTo(top);

        expect(rates.at(-1)).toBe(top);
        expect(rates[0]).toBeLessThanOrEqual(top / 20);
        for (const [index, rate] of rates.slice(1).entries()) {
          expect(rate).toBeGreaterThan(rates[index] ?? 0);
          expect(rate / (rates[index] ?? 0)).toBeLessThanOrEqual(1.05 + 1e-9);
        }
        expect(rates.length).toBeLessThan(75);
      }),
    );
  });

  it("has rates that can be read", () => {
    expect(ratesUpTo(200).slice(-7)).toEqual([152, 159, 166, 174, 182, 191, 200]);
  });
});

describe("a search", () => {
  it("finds the two rates between which a monotone deployment breaks, wherever it begins", () => {
    fc.assert(
      fc.property(searches, ([count, hint, last]) => {
        const tries = search(count, hint, (index) => index <= last);

        const highest = Math.min(last, count - 1);
        expect(boundsOf(count, tries)).toEqual({ held: highest, broke: highest + 1 });
      }),
    );
  });

  it("ends after at most nine tries, all of different rates, whatever the deployment does", () => {
    fc.assert(
      fc.property(searches, fc.infiniteStream(fc.boolean()), ([count, hint], answers) => {
        const tries = search(count, hint, () => answers.next().value);

        expect(tries.length).toBeLessThanOrEqual(9);
        expect(new Set(tries.map(({ index }) => index)).size).toBe(tries.length);
        const { held, broke } = boundsOf(count, tries);
        expect(broke - held).toBe(1);
      }),
    );
  });

  it("takes three tries if the ramp is right, and one if the highest rate holds", () => {
    expect(search(62, 40, (index) => index <= 40)).toHaveLength(3);
    expect(search(62, 40, (index) => index <= 39)).toHaveLength(3);
    expect(search(62, 61, () => true)).toHaveLength(1);
  });
});

describe("mostOf", () => {
  it("is as much as the dearest search costs, and two repeats of its dearest run", () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.nat(1000), { minLength: 1, maxLength: 30 })
          .map((costs) => costs.toSorted((a, b) => a - b)),
        (costs) => {
          const { length } = costs;
          const costOf = (tries: readonly Try[]) =>
            tries.reduce((sum, { index }) => sum + (costs[index] ?? 0), 0);
          const all = costs.flatMap((_, hint) =>
            Array.from({ length: length + 1 }, (__, last) =>
              costOf(search(length, hint, (index) => index < last)),
            ),
          );

          expect(mostOf(costs)).toBe(Math.max(...all) + 2 * Math.max(...costs));
        },
      ),
    );
  });
});
