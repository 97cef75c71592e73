import { describe, expect, it } from "vitest";
import type { Summary } from "../k6/summary.ts";
import { invariant } from "../reconcile/invariants.ts";
import { decide, type Findings } from "./decision.ts";
import { type Judged, shapes, validityOf, verdictOf } from "./verdict.ts";

const NOTHING: Findings = {
  errors: [],
  interrupted: false,
  brokenInvariants: [],
  undecided: [],
  brokenThresholds: [],
};

describe("precedence of exit codes", () => {
  const worstFirst: [number, Partial<Findings>][] = [
    [70, { errors: ["the suite broke"] }],
    [130, { interrupted: true }],
    [1, { brokenInvariants: ["L2"] }],
    [4, { undecided: ["L1"] }],
    [1, { brokenThresholds: ["p95"] }],
    [0, {}],
  ];

  it.each(worstFirst.map(([code], index) => [code, index]))(
    "%i wins over all that follow it",
    (code, index) => {
      const found = Object.assign({ ...NOTHING }, ...worstFirst.slice(index).map(([, more]) => more));

      expect(decide(found).exitCode).toBe(code);
    },
  );

  it("tells a broken invariant from a broken threshold by its reason", () => {
    const both = { ...NOTHING, brokenInvariants: ["L2"], brokenThresholds: ["p95"] };

    expect(decide(both).because).toBe("invariant broken: L2");
  });
});

const measured = (change: Partial<Summary> = {}): Summary => ({
  durationMs: 60_000,
  iterations: 1000,
  dropped: 0,
  exceptions: 0,
  scheduleLagP99Ms: 5,
  operations: {
    createTransfer: { planned: 1000, requests: 1000, latencyMs: {}, outcomes: { accepted: 1000 } },
  },
  thresholds: [],
  ...change,
});

const judged = (change: Partial<Judged> = {}): Judged => ({
  measured: measured(),
  cpuShare: 0.2,
  hasObjectives: false,
  invariants: [],
  problems: [],
  interrupted: false,
  ...change,
});

describe("validity of a run", () => {
  it.each([
    ["on schedule", {}, 0.2, "valid"],
    ["late", { scheduleLagP99Ms: 21 }, 0.2, "generator-limited"],
    ["on a busy machine", {}, 0.86, "generator-limited"],
    ["late and dropping", { scheduleLagP99Ms: 21, dropped: 50 }, 0.2, "generator-limited"],
    ["dropping", { dropped: 2 }, 0.2, "target-limited"],
    ["dropping one in a thousand", { dropped: 1 }, 0.2, "valid"],
    ["where the processors cannot be read", {}, undefined, "valid"],
  ] as const)("%s is judged", (_, change, cpuShare, validity) => {
    expect(validityOf(measured(change), cpuShare)).toBe(validity);
  });

  it("is no question in the closed model", () => {
    const { scheduleLagP99Ms: _, ...closed } = measured();

    expect(validityOf(closed, 0.99)).toBe("valid");
  });
});

describe("verdict of a run", () => {
  it("is undecided when the generator was too slow", () => {
    const { exitCode, because } = verdictOf(judged({ cpuShare: 0.95 }));

    expect(exitCode).toBe(4);
    expect(because).toContain("lower RATE");
  });

  it("breaks a threshold when the target was too slow and objectives were given", () => {
    const slow = { measured: measured({ dropped: 100 }) };

    expect(verdictOf(judged(slow)).exitCode).toBe(0);
    expect(verdictOf(judged({ ...slow, hasObjectives: true })).exitCode).toBe(1);
  });

  it("names the invariant that broke", () => {
    const invariants = [invariant("L1", "held", "all"), invariant("L2", "broken", "1 of 2 references")];

    expect(verdictOf(judged({ invariants }))).toMatchObject({
      exitCode: 1,
      because: "invariant broken: L2, no reference is paid twice: 1 of 2 references",
    });
  });

  it("does not fail for a warning", () => {
    const invariants = [invariant("L3", "warned", "1 of 2 references were given several")];

    expect(verdictOf(judged({ invariants })).exitCode).toBe(0);
  });

  it("says in words which thresholds broke", () => {
    const thresholds = [
      { metric: "latency{name:createTransfer}", rule: "p(95)<=500", ok: false },
      { metric: "http_reqs{name:listTransfers}", rule: "count>0", ok: false },
      { metric: "outcomes{name:createTransfer,outcome:accepted}", rule: "count>0", ok: false },
      { metric: "server_errors", rule: "rate<=0.001", ok: false },
      { metric: "http_reqs{name:createTransfer}", rule: "count>0", ok: true },
    ];

    expect(verdictOf(judged({ measured: measured({ thresholds }) })).because).toBe(
      "threshold broken: latency of createTransfer is not p(95)<=500 ms; listTransfers was never sent; no createTransfer was accepted; server_errors is not rate<=0.001",
    );
  });

  it("charges exceptions of the load script to the suite", () => {
    const thresholds = [{ metric: "exceptions", rule: "count==0", ok: false }];

    expect(verdictOf(judged({ measured: measured({ exceptions: 3, thresholds }) })).exitCode).toBe(70);
  });

  it("fails for answers without their documented shape, whatever the thresholds say", () => {
    const answers = measured({
      operations: {
        listTransfers: { planned: 9, requests: 9, latencyMs: {}, outcomes: { accepted: 7, malformed: 2 } },
      },
    });

    expect(shapes(answers)).toMatchObject({ id: "L9", state: "broken", text: "2 of 9 answers do not" });
    expect(verdictOf(judged({ invariants: [shapes(answers)] })).exitCode).toBe(1);
  });
});
