import { describe, expect, it } from "vitest";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import { shaped } from "../../k6/profiles.ts";
import type { Steps } from "../../k6/requests.ts";
import { EXAMPLE_RUN, loggedResponse, recorded } from "../../testing/example-result.ts";
import { readLine } from "./lines.ts";
import { Recording } from "./recording.ts";
import { summaryOf } from "./summary.ts";

const responses = (count: number, change: Partial<Parameters<typeof loggedResponse>[0]> = {}) =>
  Array.from({ length: count }, (_, iteration) => loggedResponse({ iteration, ...change }));

describe("Recording", () => {
  it("counts the outcomes of each operation, and the percentiles for which there are enough responses", () => {
    const lines = [
      ...responses(1002),
      loggedResponse({ iteration: 1002, outcome: "timeout", latencyMs: 5000 }),
    ];
    const steps: Steps = [
      { operation: "createTransfer", weight: 399 },
      { operation: "listTransfers", weight: 1 },
    ];

    const { operations, ...summary } = recorded(lines, steps);
    const few = recorded(responses(19)).operations.createTransfer?.latencyMs ?? {};

    expect(summary).toMatchObject({ durationMs: 55_100, iterations: 1003, dropped: 197 });
    expect(operations).toMatchObject({
      createTransfer: { planned: 1197, requests: 1000, outcomes: { accepted: 999, timeout: 1 } },
      listTransfers: { planned: 3, requests: 3, outcomes: { accepted: 3 } },
    });
    expect(operations.createTransfer?.latencyMs).toEqual({
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

    const { slices } = recorded([next, late, ...wrong]).series;

    const found = slices.flatMap(({ second, operations: { createTransfer: found } }) =>
      found ? [[second, found.outcomes]] : [],
    );
    expect(slices).toHaveLength(181);
    expect(found).toEqual([
      [0, { accepted: 2 }],
      [1, { throttled: 1 }],
      [180, { accepted: 1 }],
    ]);
  });

  it("leaves connections that were never made out of the latency", () => {
    const { operations } = recorded(responses(30, { outcome: "connection-error", latencyMs: 0.1 }));

    expect(operations.createTransfer).toMatchObject({ requests: 30, latencyMs: {} });
  });

  it.each([
    ["nothing", 1, 0],
    ["50 iterations, so that each after them is due later than its number says", 1, 50],
    ["25 iterations of the first of two runners", 2, 25],
  ])(
    "counts lag and latency from the moment at which a request was due if k6 dropped %s",
    (_, runners, dropped) => {
      const stages = [20, 4, 4].map((rate, index) => ({ seconds: [10, 0, 50][index] ?? 0, rate }));
      const run = { ...EXAMPLE_RUN, iterations: 400, profile: { name: "mine", ...shaped(stages) }, runners };
      const recording = new Recording(run);
      const arrivals = new ArrivalTimes(run.profile);
      // The drops are at 20/s, and ten iterations are late after them.
      for (let iteration = 0; iteration < 400; iteration += 1) {
        const shift = iteration >= 100 && iteration % runners === 0 ? dropped * runners : 0;
        const lagMs = iteration >= 340 && iteration < 350 ? 3000 : 5;
        if (iteration + shift < 400)
          recording.add(
            readLine(loggedResponse({ iteration, dueMs: arrivals.dueMs(iteration + shift), lagMs })),
            "log",
          );
      }

      const summary = summaryOf(recording);

      // The rate is that of the schedule, which the wait for the last responses does not lower.
      expect(summary).toMatchObject({ durationMs: 60_000, dropped, scheduleLagMs: expect.closeTo(5, 0) });
      expect(summary?.operations.createTransfer?.latencyMs).toMatchObject({
        min: expect.closeTo(15),
        max: expect.closeTo(3010),
      });
    },
  );

  it("counts what was due and did not start as dropped, unless the run was cut short", () => {
    const droppedIf = (isCutShort: boolean) =>
      recorded(responses(100), EXAMPLE_RUN.steps, isCutShort).dropped;

    expect([false, true].map(droppedIf)).toEqual([1100, 0]);
  });
});
