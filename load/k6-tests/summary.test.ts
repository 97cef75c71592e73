import { describe, expect, it } from "vitest";
import { summarize } from "../k6/summary.ts";

describe("summarize", () => {
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

  it("keeps what was measured, without percentiles that have too few samples", () => {
    const summary = summarize("0123abcd", data, { createTransfer: 251 });

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

  it("shows an operation that was never sent", () => {
    const summary = summarize(
      "0123abcd",
      { state: { testRunDurationMs: 1 }, metrics: {} },
      { getProfile: 3 },
    );

    expect(summary.operations.getProfile).toEqual({ planned: 3, requests: 0, latencyMs: {}, outcomes: {} });
    expect(summary).not.toHaveProperty("scheduleLagP99Ms");
  });
});
