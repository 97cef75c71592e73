import { describe, expect, it } from "vitest";
import { loggedAnswer, recorded } from "../testing/example-result.ts";
import { judgeThresholds } from "./thresholds.ts";

/** `count` transfers, of which these outcomes and latencies are not ordinary. */
function measured(count: number, change: (iteration: number) => object = () => ({})) {
  const lines = Array.from({ length: count }, (_, iteration) =>
    loggedAnswer({ iteration, ...change(iteration) }),
  );
  return { ...summaryOf(lines), iterations: count, dropped: 0 };
}

function summaryOf(lines: readonly string[]) {
  const summary = recorded(lines).summary();
  if (!summary) throw new Error("there are no answers");
  return summary;
}

/** The thresholds that objectives set, or none. */
const withoutDefaults = (...given: Parameters<typeof judgeThresholds>) =>
  judgeThresholds(...given).filter(({ isDefault }) => !isDefault);

const latency = { createTransfer: { p50: 100, p95: 200, p99: 300 } };

describe("judgeThresholds", () => {
  it("judges no latency without objectives, and failures by the default limits", () => {
    expect(judgeThresholds(measured(1000))).toEqual([
      {
        kind: "failures",
        text: "0 of 1,000 requests failed (default limit: at most 1 %)",
        ok: true,
        isDefault: true,
      },
      {
        kind: "dropped",
        text: "k6 dropped 0 of 1,000 iterations (default limit: at most 1 %)",
        ok: true,
        isDefault: true,
      },
    ]);
  });

  it("judges a percentile only if there are enough responses", () => {
    const judged = (count: number) =>
      withoutDefaults(measured(count), { latency }).map(({ text, ok }) => `${/p\d+/.exec(text)} ${ok}`);

    expect([judged(19), judged(20), judged(200), judged(1000)]).toEqual([
      [],
      ["p50 true"],
      ["p50 true", "p95 true"],
      ["p50 true", "p95 true", "p99 true"],
    ]);
  });

  it("says what was measured and what the objective is", () => {
    const slow = measured(100, () => ({ latencyMs: 611.7 }));

    expect(withoutDefaults(slow, { latency })).toEqual([
      {
        kind: "latency",
        operation: "createTransfer",
        text: "createTransfer took 611.7 ms at p50 (objective: at most 100 ms)",
        ok: false,
      },
    ]);
  });

  it("breaks no objective that may be met: a percentile is only known to 1.6 %", () => {
    const near = measured(100, (iteration) => ({ latencyMs: 99.5 + (iteration % 10) / 20 }));
    const above = measured(100, () => ({ latencyMs: 101 }));

    expect(withoutDefaults(near, { latency }).map(({ ok }) => ok)).toEqual([true]);
    expect(withoutDefaults(above, { latency }).map(({ ok }) => ok)).toEqual([false]);
  });

  it.each([
    ["was not sent", {}, "k6 sent no createTransfer request"],
    ["was never accepted", { outcome: "throttled" }, "no createTransfer request was accepted"],
  ])("is broken if an operation %s", (_, change, text) => {
    const count = "outcome" in change ? 5 : 0;
    const none = summaryOf([`["exception",0]`]);

    expect(withoutDefaults(count > 0 ? measured(count, () => change) : none)).toEqual([
      { kind: "responses", text, ok: false },
    ]);
  });

  it("is broken if a request that asks for a rejection is accepted, or none is rejected", () => {
    const judged = (refused: number) =>
      withoutDefaults(
        measured(1200, (iteration) => (iteration < refused ? { outcome: "business-refused" } : {})),
        {},
        { createTransfer: 300 },
      ).map(({ text }) => text);

    expect(judged(300)).toEqual([]);
    expect(judged(299)).toEqual(["the API accepted a createTransfer request that it must reject"]);
    expect(judged(1200)).toEqual(["no createTransfer request was accepted"]);
  });

  it("leaves open what becomes of requests that the API may accept or reject", () => {
    const rejected = measured(1200, () => ({ outcome: "business-refused" }));
    const judged = (undecided: number) =>
      withoutDefaults(rejected, {}, {}, { createTransfer: undecided }).map(({ text }) => text);

    expect(judged(1200)).toEqual([]);
    expect(judged(900)).toEqual(["no createTransfer request was accepted"]);
  });

  it("judges the shares of server errors and technical failures", () => {
    const failing = measured(1000, (iteration) => ({
      outcome: ["server-error", "timeout"][iteration] ?? "accepted",
    }));

    expect(withoutDefaults(failing, { serverErrors: 0.001, technicalFailures: 0.001 })).toEqual([
      {
        kind: "failures",
        text: "1 of 1000 requests were server errors (objective: at most 0.1 %)",
        ok: true,
      },
      {
        kind: "failures",
        text: "2 of 1000 requests were technical failures (objective: at most 0.1 %)",
        ok: false,
      },
    ]);
  });

  /** Transfers and lists in turn, each of which failed so often. */
  const failing = (requests: number, transfers: number, lists: number, outcome = "server-error") =>
    measured(requests, (iteration) => {
      const index = Math.floor(iteration / 2);
      return iteration % 2
        ? { operation: "listTransfers", ...(index < lists && { outcome }) }
        : index < transfers
          ? { outcome }
          : {};
    });
  const failures = (...given: Parameters<typeof judgeThresholds>) =>
    judgeThresholds(...given).flatMap(({ kind, text, ok, isJudged = true }) =>
      kind === "failures" ? [`${text.split(" (")[0]}${isJudged ? `: ${ok}` : ""}`] : [],
    );

  it.each([
    [
      "two of 100 transfers",
      failing(200, 2, 1),
      "2 of 100 createTransfer requests failed: 2 server errors: false",
    ],
    ["two of 200", failing(400, 2, 1), "3 of 400 requests failed: 3 server errors: true"],
    ["one of each", failing(100, 1, 1), "2 of 100 requests failed: 2 server errors: false"],
    [
      "one of 50",
      failing(100, 1, 0),
      "1 of 50 createTransfer requests failed: 1 server error, too few requests to judge the default limit of 1 %",
    ],
    ["half, as throttled", failing(100, 25, 25, "throttled"), "0 of 100 requests failed: true"],
  ])("judges failures by the default limit of each operation: %s", (_, found, text) => {
    expect(failures(found)).toEqual([text]);
  });

  it("lets the operator set the limits, except where most responses of an operation are server errors", () => {
    expect(failures(failing(200, 50, 0), { technicalFailures: 0.5 })).toEqual([
      "50 of 200 requests were technical failures: true",
    ]);
    expect(failures(failing(200, 51, 0), { technicalFailures: 0.5 })).toContain(
      "51 of 100 createTransfer requests got a server error, more than half: false",
    );
    expect(failures(failing(200, 3, 0), { serverErrors: 0.5 })).toEqual([
      "3 of 200 requests were server errors: true",
      "0 of 200 requests failed: true",
    ]);
  });
});
