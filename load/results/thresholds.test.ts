import { describe, expect, it } from "vitest";
import { loggedAnswer, recorded } from "../testing/example-result.ts";
import { judgeThresholds } from "./thresholds.ts";

/** `count` transfers, of which these outcomes and latencies are not ordinary. */
function operations(count: number, change: (iteration: number) => object = () => ({})) {
  const lines = Array.from({ length: count }, (_, iteration) =>
    loggedAnswer({ iteration, ...change(iteration) }),
  );
  return recorded(lines).summary()?.operations ?? {};
}

const latency = { createTransfer: { p50: 100, p95: 200, p99: 300 } };

describe("judgeThresholds", () => {
  it("judges no latency and no share without objectives", () => {
    expect(judgeThresholds(operations(5000))).toEqual([]);
  });

  it("judges a percentile only if there are enough responses", () => {
    const judged = (count: number) =>
      judgeThresholds(operations(count), { latency }).map(({ text, ok }) => `${/p\d+/.exec(text)} ${ok}`);

    expect([judged(19), judged(20), judged(200), judged(1000)]).toEqual([
      [],
      ["p50 true"],
      ["p50 true", "p95 true"],
      ["p50 true", "p95 true", "p99 true"],
    ]);
  });

  it("says what was measured and what the objective is", () => {
    const slow = operations(100, () => ({ latencyMs: 611.7 }));

    expect(judgeThresholds(slow, { latency })).toEqual([
      { text: "createTransfer took 611.7 ms at p50 (objective: at most 100 ms)", ok: false },
    ]);
  });

  it("breaks no objective that may be met: a percentile is only known to 1.6 %", () => {
    const near = operations(100, (iteration) => ({ latencyMs: 99.5 + (iteration % 10) / 20 }));
    const above = operations(100, () => ({ latencyMs: 101 }));

    expect(judgeThresholds(near, { latency }).map(({ ok }) => ok)).toEqual([true]);
    expect(judgeThresholds(above, { latency }).map(({ ok }) => ok)).toEqual([false]);
  });

  it.each([
    ["was not sent", {}, "k6 sent no createTransfer request"],
    ["was never accepted", { outcome: "throttled" }, "no createTransfer request was accepted"],
  ])("is broken if an operation %s", (_, change, text) => {
    const count = "outcome" in change ? 5 : 0;
    const none = recorded([`["exception",0]`]).summary()?.operations ?? {};

    expect(judgeThresholds(count > 0 ? operations(count, () => change) : none)).toEqual([
      { text, ok: false },
    ]);
  });

  it("is broken if a request that asks for a rejection is accepted, or none is rejected", () => {
    const judged = (refused: number) =>
      judgeThresholds(
        operations(1200, (iteration) => (iteration < refused ? { outcome: "business-refused" } : {})),
        {},
        { createTransfer: 300 },
      ).map(({ text }) => text);

    expect(judged(300)).toEqual([]);
    expect(judged(299)).toEqual(["the API accepted a createTransfer request that it must reject"]);
    expect(judged(1200)).toEqual(["no createTransfer request was accepted"]);
  });

  it("leaves open what becomes of requests that the API may accept or reject", () => {
    const rejected = operations(1200, () => ({ outcome: "business-refused" }));
    const judged = (undecided: number) =>
      judgeThresholds(rejected, {}, {}, { createTransfer: undecided }).map(({ text }) => text);

    expect(judged(1200)).toEqual([]);
    expect(judged(900)).toEqual(["no createTransfer request was accepted"]);
  });

  it("judges the shares of server errors and technical failures", () => {
    const failing = operations(1000, (iteration) => ({
      outcome: ["server-error", "timeout"][iteration] ?? "accepted",
    }));

    expect(judgeThresholds(failing, { serverErrors: 0.001, technicalFailures: 0.001 })).toEqual([
      { text: "1 of 1000 requests were server errors (objective: at most 0.1 %)", ok: true },
      { text: "2 of 1000 requests were technical failures (objective: at most 0.1 %)", ok: false },
    ]);
  });
});
