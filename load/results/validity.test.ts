import { describe, expect, it } from "vitest";
import { exampleMeasurements, loggedResponse, recorded } from "../testing/example-result.ts";
import type { Summary } from "./summary.ts";
import { lateness, validityOf } from "./validity.ts";

const measured = (change: Partial<Summary> = {}): Summary => ({
  ...exampleMeasurements(),
  iterations: 1000,
  scheduleLagP99Ms: 5,
  ...change,
});

/** A run of 100 transfers that each took this long. */
const taking = (latencyMs: number) => {
  const lines = Array.from({ length: 100 }, (_, iteration) => loggedResponse({ iteration, latencyMs }));
  const { operations = {} } = recorded(lines).summary() ?? {};
  return { operations };
};

describe("validityOf", () => {
  it.each([
    ["valid", "on schedule", {}, 0.2],
    ["generator-limited", "late", { scheduleLagP99Ms: 21 }, 0.2],
    ["generator-limited", "on a busy machine", {}, 0.86],
    ["generator-limited", "late and drops iterations", { scheduleLagP99Ms: 21, dropped: 50 }, 0.2],
    ["valid", "late by a twentieth of the latency", { scheduleLagP99Ms: 250, ...taking(5000) }, 0.2],
    ["generator-limited", "late by more than that", { scheduleLagP99Ms: 251, ...taking(5000) }, 0.2],
    ["target-limited", "on schedule and drops iterations", { dropped: 2 }, 0.2],
    ["valid", "on schedule and drops one iteration in a thousand", { dropped: 1 }, 0.2],
    ["valid", "on schedule with an unknown CPU load", {}, undefined],
  ] as const)("is %s if the run is %s", (validity, _, change, cpuShare) => {
    expect(validityOf(measured(change), { cpuShare })).toBe(validity);
  });

  it("is valid in the closed model", () => {
    const { scheduleLagP99Ms: _, ...closed } = measured();

    expect(validityOf(closed, { cpuShare: 0.99 })).toBe("valid");
  });
});

describe("lateness", () => {
  it.each([
    ["k6 was too slow for this rate (p99 of the schedule lag 80 ms, k6 used 95 % of the CPU)", 0.95, 1],
    [
      "this machine was busy with other programs, so k6 started requests too late (p99 of the schedule lag 80 ms, k6 used 2 % of the CPU, all programs together 97 %)",
      0.02,
      0.97,
    ],
    ["this machine was held up at times, by other programs or a limit on its CPU, ", 0.02, 0.3],
    ["k6 started requests too late (p99 of the schedule lag 80 ms)", undefined, undefined],
  ])("says: %s", (why, cpuShare, machineShare) => {
    expect(lateness(measured({ scheduleLagP99Ms: 80 }), { cpuShare, machineShare }).why).toContain(why);
  });
});
