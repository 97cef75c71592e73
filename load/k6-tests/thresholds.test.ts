import { describe, expect, it } from "vitest";
import { summarize } from "../k6/summary.ts";
import { thresholdsOf } from "../k6/thresholds.ts";

describe("thresholds", () => {
  it("guard every operation against having sent or achieved nothing", () => {
    const thresholds = thresholdsOf({ createTransfer: 80, listTransfers: 20 }, {});

    for (const name of ["createTransfer", "listTransfers"]) {
      expect(thresholds[`http_reqs{name:${name}}`]).toEqual(["count>0"]);
      expect(thresholds[`outcomes{name:${name},outcome:accepted}`]).toEqual(["count>0"]);
    }
    expect(thresholds).toMatchObject({ checks: ["rate==1"], exceptions: ["count==0"] });
  });

  it("judge no latency and no rate without objectives, yet keep both for the summary", () => {
    const thresholds = thresholdsOf({ createTransfer: 5000 }, {});

    expect(thresholds).toMatchObject({
      "latency{name:createTransfer}": [],
      "outcomes{name:createTransfer,outcome:malformed}": [],
      server_errors: [],
      technical_failures: [],
    });
  });

  it("judge a percentile only where the planned requests are enough for it", () => {
    const latency = { createTransfer: { p50: 100, p95: 200, p99: 300 } };
    const judged = (planned: number) =>
      thresholdsOf({ createTransfer: planned }, { latency })["latency{name:createTransfer}"];

    expect([judged(19), judged(20), judged(200), judged(1000)]).toEqual([
      [],
      ["med<=100"],
      ["med<=100", "p(95)<=200"],
      ["med<=100", "p(95)<=200", "p(99)<=300"],
    ]);
  });

  it("judge the shares of server errors and technical failures", () => {
    const thresholds = thresholdsOf({}, { serverErrors: 0.001, technicalFailures: 0.01 });

    expect(thresholds).toMatchObject({ server_errors: ["rate<=0.001"], technical_failures: ["rate<=0.01"] });
  });
});

describe("summary", () => {
  const latency = { count: 250, min: 1, avg: 2, med: 2, "p(95)": 4, "p(99)": 9, max: 10 };
  const data = {
    state: { testRunDurationMs: 6000 },
    metrics: {
      iterations: { values: { count: 250 } },
      schedule_lag: { values: { count: 250, "p(99)": 7 } },
      "http_reqs{name:createTransfer}": { values: { count: 250 }, thresholds: { "count>0": { ok: true } } },
      "latency{name:createTransfer}": { values: latency, thresholds: { "p(95)<=3": { ok: false } } },
      "outcomes{name:createTransfer,outcome:accepted}": { values: { count: 249 } },
      "outcomes{name:createTransfer,outcome:timeout}": { values: { count: 1 } },
    },
  };

  it("holds what was measured, without percentiles that too few answers stand behind", () => {
    const summary = summarize(data, { createTransfer: 251 });

    expect(summary).toMatchObject({ durationMs: 6000, iterations: 250, dropped: 0, scheduleLagP99Ms: 7 });
    expect(summary.operations.createTransfer).toEqual({
      planned: 251,
      requests: 250,
      latencyMs: { min: 1, avg: 2, max: 10, p50: 2, p95: 4 },
      outcomes: { accepted: 249, timeout: 1 },
    });
    expect(summary.thresholds).toContainEqual({
      metric: "latency{name:createTransfer}",
      rule: "p(95)<=3",
      ok: false,
    });
  });

  it("shows an operation that was never sent as such", () => {
    const summary = summarize({ state: { testRunDurationMs: 1 }, metrics: {} }, { getProfile: 3 });

    expect(summary.operations.getProfile).toEqual({ planned: 3, requests: 0, latencyMs: {}, outcomes: {} });
    expect(summary).not.toHaveProperty("scheduleLagP99Ms");
  });
});
