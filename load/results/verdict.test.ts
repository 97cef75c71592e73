import { describe, expect, it } from "vitest";
import { exampleMeasurements } from "../testing/example-result.ts";
import { invariant } from "./invariant.ts";
import type { Limits } from "./result.ts";
import type { Summary } from "./summary.ts";
import { judgeThresholds } from "./thresholds.ts";
import { decide, type Findings, type Judged, verdictOf } from "./verdict.ts";

const NOTHING: Findings = {
  errors: [],
  interrupted: false,
  brokenInvariants: [],
  undecided: [],
  brokenFailures: [],
  brokenThresholds: [],
};

describe("decide", () => {
  const worstFirst: [number, Partial<Findings>][] = [
    [70, { errors: ["the suite broke"] }],
    [130, { interrupted: true }],
    [1, { brokenInvariants: ["L2"] }],
    [1, { brokenFailures: ["2 of 100"] }],
    [1, { stopped: "the API paid r twice", hasHarmed: true }],
    [4, { undecided: ["L1"] }],
    [4, { stopped: "the API paid r twice" }],
    [1, { brokenThresholds: ["p95"] }],
    [0, {}],
  ];

  it.each(worstFirst.map(([code], index) => [code, index]))(
    "prefers exit code %i to all that follow it",
    (code, index) => {
      const later = worstFirst.slice(index).map(([, more]) => more);
      const found = Object.assign({ ...NOTHING }, ...later.toReversed());

      expect(decide(found).exitCode).toBe(code);
    },
  );

  it("names the broken invariant, not the broken threshold, if both are broken", () => {
    const both = { ...NOTHING, brokenInvariants: ["L2"], brokenThresholds: ["p95"] };

    expect(decide(both).because).toBe("broken invariant: L2");
  });

  it("names only the limits of failures if something else leaves the other thresholds undecided", () => {
    const failing = { ...NOTHING, brokenFailures: ["2 of 100"], brokenThresholds: ["p95"] };

    expect(decide(failing).because).toBe("broken thresholds: 2 of 100; p95");
    expect(decide({ ...failing, undecided: ["k6 was too slow"] }).because).toBe("broken threshold: 2 of 100");
  });

  it.each([
    ["errors", { errors: ["k6 broke"] }, "k6 broke; ", ""],
    ["an interrupt", { interrupted: true }, "the run was interrupted; ", ""],
    ["a broken invariant", { brokenInvariants: ["L2"] }, "broken invariant: L2; ", ""],
    ["something undecided", { undecided: ["L1"] }, "", "; L1"],
    ["nothing else", {}, "", ""],
  ])("says why the load was stopped, next to %s", (_, found, before, after) => {
    const { because } = decide({ ...NOTHING, ...found, stopped: "the API paid r twice" });

    expect(because).toBe(`${before}the load was stopped: the API paid r twice${after}`);
  });
});

const measured = (change: Partial<Summary> = {}): Summary => ({
  ...exampleMeasurements(),
  iterations: 1000,
  scheduleLagP99Ms: 5,
  ...change,
});

/** The example measurements, judged by these limits. */
const withThresholds = (limits: Limits, change: Partial<Summary> = {}): Summary => {
  const counted = measured(change);
  return { ...counted, thresholds: judgeThresholds(counted, limits) };
};

const judged = (change: Partial<Judged> = {}): Judged => ({
  measured: measured(),
  generator: { cpuShare: 0.2 },
  invariants: [],
  shortcomings: [],
  problems: [],
  interrupted: false,
  ...change,
});

describe("verdictOf", () => {
  it("is undecided if the generator was too slow", () => {
    const { exitCode, because } = verdictOf(judged({ generator: { cpuShare: 0.95 } }));

    expect(exitCode).toBe(4);
    expect(because).toContain("lower RATE");
  });

  it("says by which limits a run without objectives was judged, and that latency was not", () => {
    expect(verdictOf(judged({ measured: withThresholds({}) }))).toEqual({
      outcome: "passed",
      exitCode: 0,
      because:
        "no invariant is broken; default limits met (at most 1 % failed requests, at most 1 % dropped iterations); latency was not judged",
    });
  });

  it("counts the objectives that were met, and the operations whose latency they are about", () => {
    const latency = { createTransfer: { p50: 1000, p95: 5000 } };

    expect(verdictOf(judged({ measured: withThresholds({ latency, dropped: 0 }) })).because).toBe(
      "no invariant is broken; 3 objectives of SLO met; default limits met (at most 1 % failed requests); latency was judged for 1 of 2 operations",
    );
  });

  it("fails a target that was too slow for the rate, by the default limit or that of SLO", () => {
    const exitCode = (dropped: number, limits: Limits) =>
      verdictOf(judged({ measured: withThresholds(limits, { dropped }) })).exitCode;

    expect([exitCode(10, {}), exitCode(11, {})]).toEqual([0, 1]);
    expect([exitCode(11, { dropped: 0.1 }), exitCode(2, { dropped: 0.001 })]).toEqual([0, 1]);
  });

  it("names the broken invariant", () => {
    const invariants = [invariant("L1", "held", "all"), invariant("L2", "broken", "1 of 2 references")];

    expect(verdictOf(judged({ invariants }))).toMatchObject({
      exitCode: 1,
      because: "broken invariant: L2 (no reference is paid twice): 1 of 2 references",
    });
  });

  it("passes despite a warning", () => {
    const invariants = [invariant("L3", "warned", "1 of 2 references got several")];

    expect(verdictOf(judged({ invariants })).exitCode).toBe(0);
  });

  it("describes the broken thresholds", () => {
    const thresholds = [
      { text: "createTransfer took 611.7 ms at p95 (objective: at most 500 ms)", ok: false },
      { text: "createTransfer took 11.2 ms at p50 (objective: at most 250 ms)", ok: true },
      { text: "k6 sent no listTransfers request", ok: false },
    ];

    expect(verdictOf(judged({ measured: measured({ thresholds }) })).because).toBe(
      "broken thresholds: createTransfer took 611.7 ms at p95 (objective: at most 500 ms); k6 sent no listTransfers request",
    );
  });

  it("reports exceptions of the load script as a failure of the suite", () => {
    expect(verdictOf(judged({ measured: measured({ exceptions: 3 }) })).exitCode).toBe(70);
  });
});
