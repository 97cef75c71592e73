import { describe, expect, it } from "vitest";
import { EXAMPLE_RUN, exampleMeasurements } from "../testing/example-result.ts";
import { invariant, type Limits, type Summary, type Threshold } from "./result.ts";
import { judgeThresholds } from "./thresholds.ts";
import { validityOf } from "./validity.ts";
import { type Found, resultOf } from "./verdict.ts";

const measured = (change: Partial<Summary> = {}): Summary => ({
  ...exampleMeasurements(),
  iterations: 1000,
  scheduleLagMs: 5,
  thresholds: [],
  ...change,
});

/** The example measurements, judged by these limits. */
const withLimits = (limits: Limits, change: Partial<Summary> = {}): Pick<Found, "measured"> => {
  const counted = measured(change);
  return { measured: { ...counted, thresholds: judgeThresholds(counted, limits) } };
};

const breaking = (...thresholds: Pick<Threshold, "text" | "kind">[]): Pick<Found, "measured"> => ({
  measured: measured({ thresholds: thresholds.map((one) => ({ ...one, ok: false })) }),
});

const NOTHING = { count: 0, total: 0 };
const MONEY = { planned: NOTHING, kept: NOTHING, released: NOTHING, limit: NOTHING };

const verdict = (change: Partial<Found> = {}) =>
  resultOf(
    { ...EXAMPLE_RUN, schema: "payments-conformance/load-run@1", iterations: 1000 },
    {
      measured: measured(),
      invariants: [],
      reconciled: 0,
      money: MONEY,
      gaps: [],
      problems: [],
      interrupted: false,
      ...change,
    },
  );

const FAILING = { text: "2 of 100", kind: "failures" } as const;
const SLOW = { text: "p95", kind: "latency" } as const;
const BOTH = [SLOW, FAILING].map((one) => ({ ...one, ok: false }));
const L2 = { invariants: [invariant("L2", "broken", "1 of 2 references")] };
const BROKEN_L2 = "broken invariant: L2 (no reference is paid twice): 1 of 2 references";
/** A run of which k6's machine could not send every second request. */
const SHORT = (): Pick<Found, "measured"> => {
  const { operations, ...others } = measured();
  const halved = Object.entries(operations).map(([name, one]) => [
    name,
    { ...one, outcomes: { accepted: 100, unsent: 100 } },
  ]);
  return withLimits({}, { ...others, operations: Object.fromEntries(halved) });
};

const [[, ONE] = []] = Object.entries(exampleMeasurements().operations);
const FEW: Summary["operations"] = ONE ? { createTransfer: { ...ONE, outcomes: { accepted: 120 } } } : {};
const STOPPED = { stopped: "the API paid r twice" };

describe("the verdict", () => {
  const worstFirst: [number, Partial<Found>][] = [
    [70, { problems: ["the suite broke"] }],
    [130, { interrupted: true }],
    [1, L2],
    [1, breaking(FAILING)],
    [1, STOPPED],
    [4, { gaps: ["few requests"] }],
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

  it.each<[string, Partial<Found>]>([
    [`k6 broke; ${STOP}`, { problems: ["k6 broke"] }],
    [`the run was interrupted; ${STOP}`, { interrupted: true }],
    [`${BROKEN_L2}; ${STOP}`, L2],
    [`${STOP}; few requests`, { gaps: ["few requests"] }],
    [STOP, {}],
  ])("says why the load was stopped: %s", (because, found) => {
    expect(verdict({ ...found, ...STOPPED }).because).toBe(because);
  });

  it.each<[string, number, Partial<Found>, string]>([
    ["the broken invariant, not the threshold", 1, { ...L2, ...breaking(SLOW) }, BROKEN_L2],
    ["all broken thresholds", 1, breaking(SLOW, FAILING), "broken thresholds: 2 of 100; p95"],
    [
      "only failed requests if the generator was too slow for the other thresholds",
      1,
      { measured: { ...measured({ scheduleLagMs: 80 }), thresholds: BOTH } },
      "broken threshold: 2 of 100",
    ],
    [
      "what to do if the generator was too slow",
      4,
      { measured: measured({ scheduleLagMs: 80 }) },
      "this machine was too busy or too slow for this rate, so k6 started requests too late (schedule lag 80 ms): repeat the run on a less busy or larger machine, lower RATE, or use several machines",
    ],
    ["that k6 sent nothing", 4, { measured: undefined }, "k6 sent nothing"],
    [
      "that k6 sent fewer requests than planned",
      4,
      { measured: measured({ iterations: 3, dropped: 27 }) },
      "k6 started only 3 of 1000 requests",
    ],
    [
      "that k6's machine could not send, which is no failure of the target",
      4,
      SHORT(),
      expect.stringMatching(
        /^k6 could not send 200 of 400 requests, because its machine had no free port .*ip_local_port_range/,
      ),
    ],
    [
      "how little few requests prove",
      0,
      withLimits({ dropped: 0, technicalFailures: 0, rejections: 0 }, { operations: FEW }),
      "no invariant is broken; 3 limits of failures, drops and latencies kept; latency was not judged; 120 requests prove little: what goes wrong less often than once in 40 may not have shown",
    ],
    [
      "how many limits were kept, and of which operations the latency was judged",
      0,
      withLimits({ latency: { createTransfer: { p50: 1000, p95: 5000 } }, dropped: 0 }),
      "no invariant is broken; 5 limits of failures, drops and latencies kept; latency was judged for 1 of 2 operations",
    ],
  ])("says %s", (_, exitCode, found, because) => {
    expect(verdict(found)).toMatchObject({ exitCode, because });
  });
});

it.each([
  ["valid", "on schedule", {}],
  ["valid", "as late as a clock may be", { scheduleLagMs: 20 }],
  ["generator-limited", "late", { scheduleLagMs: 21 }],
  ["generator-limited", "late and drops iterations", { scheduleLagMs: 21, dropped: 50 }],
  ["target-limited", "on schedule and drops iterations", { dropped: 2 }],
  ["valid", "on schedule and drops one iteration in a thousand", { dropped: 1 }],
] as const)("is %s if the run is %s", (validity, _, change) => {
  expect(validityOf(measured(change))).toBe(validity);
});
