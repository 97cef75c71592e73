import { describe, expect, it } from "vitest";
import { exampleMeasurements } from "../testing/example-result.ts";
import { invariant } from "./invariant.ts";
import type { Summary } from "./summary.ts";
import { decide, type Findings, type Judged, validityOf, verdictOf } from "./verdict.ts";

const NOTHING: Findings = {
  errors: [],
  interrupted: false,
  brokenInvariants: [],
  undecided: [],
  brokenThresholds: [],
};

describe("decide", () => {
  const worstFirst: [number, Partial<Findings>][] = [
    [70, { errors: ["the suite broke"] }],
    [130, { interrupted: true }],
    [1, { brokenInvariants: ["L2"] }],
    [4, { undecided: ["L1"] }],
    [4, { stopped: "the API paid r twice" }],
    [1, { brokenThresholds: ["p95"] }],
    [0, {}],
  ];

  it.each(worstFirst.map(([code], index) => [code, index]))(
    "prefers exit code %i to all that follow it",
    (code, index) => {
      const found = Object.assign({ ...NOTHING }, ...worstFirst.slice(index).map(([, more]) => more));

      expect(decide(found).exitCode).toBe(code);
    },
  );

  it("names the broken invariant, not the broken threshold, if both are broken", () => {
    const both = { ...NOTHING, brokenInvariants: ["L2"], brokenThresholds: ["p95"] };

    expect(decide(both).because).toBe("broken invariant: L2");
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

const judged = (change: Partial<Judged> = {}): Judged => ({
  measured: measured(),
  cpuShare: 0.2,
  hasObjectives: false,
  invariants: [],
  shortcomings: [],
  problems: [],
  interrupted: false,
  ...change,
});

describe("validityOf", () => {
  it.each([
    ["valid", "on schedule", {}, 0.2],
    ["generator-limited", "late", { scheduleLagP99Ms: 21 }, 0.2],
    ["generator-limited", "on a busy machine", {}, 0.86],
    ["generator-limited", "late and drops iterations", { scheduleLagP99Ms: 9000, dropped: 50 }, 0.2],
    ["target-limited", "no later than its drops explain", { scheduleLagP99Ms: 100, dropped: 50 }, 0.2],
    ["target-limited", "on schedule and drops iterations", { dropped: 2 }, 0.2],
    ["valid", "on schedule and drops one iteration in a thousand", { dropped: 1 }, 0.2],
    ["valid", "on schedule with an unknown CPU load", {}, undefined],
  ] as const)("is %s if the run is %s", (validity, _, change, cpuShare) => {
    expect(validityOf(measured(change), cpuShare)).toBe(validity);
  });

  it("is valid in the closed model", () => {
    const { scheduleLagP99Ms: _, ...closed } = measured();

    expect(validityOf(closed, 0.99)).toBe("valid");
  });
});

describe("verdictOf", () => {
  it("is undecided if the generator was too slow", () => {
    const { exitCode, because } = verdictOf(judged({ cpuShare: 0.95 }));

    expect(exitCode).toBe(4);
    expect(because).toContain("lower RATE");
  });

  it("fails a target that was too slow only if there are objectives", () => {
    const slow = { measured: measured({ dropped: 100 }) };

    expect(verdictOf(judged(slow)).exitCode).toBe(0);
    expect(verdictOf(judged({ ...slow, hasObjectives: true })).exitCode).toBe(1);
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
