import { describe, expect, it } from "vitest";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import { shaped } from "../../k6/profiles.ts";
import type { Steps } from "../../k6/requests.ts";
import { EXAMPLE_RUN, LOGGED_END, loggedResponse, recorded } from "../../testing/example-result.ts";
import { readLine } from "./lines.ts";
import { Recording } from "./recording.ts";

const responses = (count: number, change: Partial<Parameters<typeof loggedResponse>[0]> = {}) =>
  Array.from({ length: count }, (_, iteration) => loggedResponse({ iteration, ...change }));

describe("Recording", () => {
  it("counts the outcomes of each operation, and the percentiles for which there are enough responses", () => {
    const lines = [
      ...responses(999),
      loggedResponse({ iteration: 999, outcome: "timeout", latencyMs: 5000 }),
    ];
    const steps: Steps = [
      { operation: "createTransfer", weight: 399 },
      { operation: "listTransfers", weight: 1 },
    ];

    const { operations, ...summary } = recorded([...lines, LOGGED_END], steps).summary() ?? {};
    const few = recorded(responses(19)).summary()?.operations.createTransfer?.latencyMs ?? {};

    expect(summary).toMatchObject({ durationMs: 54_950, iterations: 1000, dropped: 200 });
    expect(operations).toMatchObject({
      createTransfer: { planned: 1197, requests: 1000, outcomes: { accepted: 999, timeout: 1 } },
      listTransfers: { planned: 3, requests: 0, outcomes: {}, latencyMs: {} },
    });
    expect(operations?.createTransfer?.latencyMs).toEqual({
      min: 10,
      avg: 14.99,
      max: 5000,
      ...Object.fromEntries(["p50", "p95", "p99"].map((one) => [one, expect.closeTo(10, 0)])),
    });
    expect(Object.keys(few)).toEqual(["min", "avg", "max"]);
  });

  it("sorts responses into slices by the time at which they were sent, whatever a clock did", () => {
    const late = loggedResponse({ iteration: 0, dueMs: 999, latencyMs: 4000 });
    const next = loggedResponse({ iteration: 1, dueMs: 1000, outcome: "throttled" });
    const wrong = [-1e12, 1e300].map((dueMs, index) => loggedResponse({ iteration: 2 + index, dueMs }));

    const { series } = recorded([next, late, ...wrong]).summary() ?? {};

    expect(series).toMatchObject({
      sliceSeconds: 1,
      slices: [
        {
          second: 0,
          operations: { createTransfer: { outcomes: { accepted: 2 } } },
        },
        { second: 1, operations: { createTransfer: { outcomes: { throttled: 1 } } } },
        { second: 180, operations: { createTransfer: { outcomes: { accepted: 1 } } } },
      ],
    });
  });

  it("counts what k6 sent late as its lag", () => {
    const { durationMs, scheduleLagMs } = recorded(responses(20, { lagMs: 80_000 })).summary(true) ?? {};

    // The rate is that of the schedule, which the wait for the last responses does not lower.
    expect(durationMs).toBe(60_000);
    expect(scheduleLagMs).toBeCloseTo(80_000, -3);
  });

  it("leaves connections that were never made out of the latency", () => {
    const { operations } =
      recorded(responses(30, { outcome: "connection-error", latencyMs: 0.1 })).summary() ?? {};

    expect(operations?.createTransfer).toMatchObject({ requests: 30, latencyMs: {} });
  });

  it("does not count as lag what dropped iterations explain, at the slowest pace of the profile", () => {
    const stages = [20, 4, 4].map((rate, index) => ({ seconds: [10, 0, 50][index] ?? 0, rate }));
    const lagWith = (dropped: number) => {
      const run = { ...EXAMPLE_RUN, iterations: 400, profile: { name: "mine", ...shaped(stages) } };
      const recording = new Recording(run);
      const arrivals = new ArrivalTimes(run.profile);
      for (let iteration = 0; iteration < 400 - dropped; iteration += 1) {
        const dueMs = arrivals.dueMs(iteration < 100 ? iteration : iteration + 50);
        recording.add(readLine(loggedResponse({ iteration, dueMs })));
      }
      return recording.summary()?.scheduleLagMs;
    };

    // k6 dropped 50 iterations at 20/s, after which everything comes 12.5 seconds later than its number says.
    expect(lagWith(50)).toBeLessThan(20);
    expect(lagWith(0)).toBeGreaterThan(10_000);
  });

  it("counts what was due and did not start as dropped, unless the run was cut short", () => {
    const recording = recorded([...responses(100), LOGGED_END]);

    expect([recording.summary()?.dropped, recording.summary(true)?.dropped]).toEqual([1100, 0]);
  });
});
