import { describe, expect, it } from "vitest";
import { exampleMeasurements } from "../testing/example-result.ts";
import { invariant } from "./invariant.ts";
import type { Limits, Summary, Threshold } from "./result.ts";
import { judgeThresholds } from "./thresholds.ts";
import { type Judged, shortcomings, verdictOf } from "./verdict.ts";

const measured = (change: Partial<Summary> = {}): Summary => ({
  ...exampleMeasurements(),
  iterations: 1000,
  scheduleLagP99Ms: 5,
  thresholds: [],
  ...change,
});

/** The example measurements, judged by these limits. */
const withLimits = (limits: Limits, change: Partial<Summary> = {}): Pick<Judged, "measured"> => {
  const counted = measured(change);
  return { measured: { ...counted, thresholds: judgeThresholds(counted, limits) } };
};

const breaking = (...thresholds: Pick<Threshold, "text" | "kind">[]): Pick<Judged, "measured"> => ({
  measured: measured({ thresholds: thresholds.map((one) => ({ ...one, ok: false })) }),
});

const verdict = (change: Partial<Judged> = {}) =>
  verdictOf({
    measured: measured(),
    generator: { cpuShare: 0.2 },
    invariants: [],
    shortcomings: [],
    problems: [],
    interrupted: false,
    ...change,
  });

const FAILING = { text: "2 of 100", kind: "failures" } as const;
const SLOW = { text: "p95", kind: "latency" } as const;
const L2 = { invariants: [invariant("L2", "broken", "1 of 2 references")] };
const BROKEN_L2 = "broken invariant: L2 (no reference is paid twice): 1 of 2 references";
const STOPPED = { stopped: "the API paid r twice" };

describe("verdictOf", () => {
  const worstFirst: [number, Partial<Judged>][] = [
    [70, { problems: ["the suite broke"] }],
    [130, { interrupted: true }],
    [1, L2],
    [1, breaking(FAILING)],
    [1, { ...STOPPED, hasHarmed: true }],
    [4, { shortcomings: ["few requests"] }],
    [4, STOPPED],
    [1, breaking(SLOW)],
    [0, {}],
  ];

  it.each(worstFirst.map(([code], index) => [code, index]))(
    "prefers exit code %i to all that follow it",
    (code, index) => {
      const later = worstFirst.slice(index).map(([, more]) => more);

      expect(verdict(Object.assign({}, ...later.toReversed())).exitCode).toBe(code);
    },
  );

  const STOP = "the load was stopped: the API paid r twice";

  it.each<[string, Partial<Judged>]>([
    [`k6 broke; ${STOP}`, { problems: ["k6 broke"] }],
    [`the run was interrupted; ${STOP}`, { interrupted: true }],
    [`${BROKEN_L2}; ${STOP}`, L2],
    [`${STOP}; few requests`, { shortcomings: ["few requests"] }],
    [STOP, {}],
  ])("says why the load was stopped: %s", (because, found) => {
    expect(verdict({ ...found, ...STOPPED }).because).toBe(because);
  });

  it.each<[string, number, Partial<Judged>, string]>([
    ["the broken invariant, not the threshold", 1, { ...L2, ...breaking(SLOW) }, BROKEN_L2],
    ["all broken thresholds", 1, breaking(SLOW, FAILING), "broken thresholds: 2 of 100; p95"],
    [
      "only failed requests if the generator was too slow for the other thresholds",
      1,
      { ...breaking(SLOW, FAILING), generator: { cpuShare: 0.95 } },
      "broken threshold: 2 of 100",
    ],
    [
      "what to do if the generator was too slow",
      4,
      { generator: { cpuShare: 0.95 } },
      "k6 was too slow for this rate (p99 of the schedule lag 5 ms, k6 used 95 % of the CPU): lower RATE, or use a larger machine, or several",
    ],
    [
      "that a failure of the load script is one of the suite",
      70,
      { measured: measured({ exceptions: 3 }) },
      "the load script failed in 3 iterations; the log of k6 has the errors",
    ],
    [
      "no warning",
      0,
      { invariants: [invariant("L3", "warned", "1 of 2 references got several")] },
      "no invariant is broken; latency was not judged",
    ],
    [
      "the default limits and that latency was not judged",
      0,
      withLimits({}),
      "no invariant is broken; default limits met (at most 1 % failed requests, at most 1 % dropped iterations); latency was not judged",
    ],
    [
      "how many objectives were met, and the operations whose latency they are about",
      0,
      withLimits({ latency: { createTransfer: { p50: 1000, p95: 5000 } }, dropped: 0 }),
      "no invariant is broken; 3 objectives of SLO met; default limits met (at most 1 % failed requests); latency was judged for 1 of 2 operations",
    ],
  ])("says %s", (_, exitCode, found, because) => {
    expect(verdict(found)).toMatchObject({ exitCode, because });
  });
});

describe("shortcomings", () => {
  it.each([
    [["k6 started only 3 of 30 requests"], 3, 0],
    [[], 3, 27],
  ])("are %j if k6 started %i of 30 requests and dropped %i", (found, iterations, dropped) => {
    expect(shortcomings({ iterations: 30 }, { iterations, dropped })).toEqual(found);
  });
});
