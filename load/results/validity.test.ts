import { expect, it } from "vitest";
import { exampleMeasurements } from "../testing/example-result.ts";
import type { Summary } from "./result.ts";
import { lateness, validityOf } from "./validity.ts";

/** Measurements of an open run, in which each operation took this long on average. */
function measured(change: Partial<Summary> = {}, avg = 20): Summary {
  const { operations, ...rest } = exampleMeasurements();
  const slow = Object.entries(operations).map(([name, one]) => [name, { ...one, latencyMs: { avg } }]);
  return { ...rest, operations: Object.fromEntries(slow), iterations: 1000, scheduleLagP99Ms: 5, ...change };
}

const { scheduleLagP99Ms: _, ...closed } = measured();

it.each([
  ["valid", "on schedule", measured(), 0.2],
  ["generator-limited", "late", measured({ scheduleLagP99Ms: 21 }), 0.2],
  ["generator-limited", "on a busy machine", measured(), 0.86],
  ["generator-limited", "late and drops iterations", measured({ scheduleLagP99Ms: 21, dropped: 50 }), 0.2],
  ["valid", "late by a twentieth of the latency", measured({ scheduleLagP99Ms: 250 }, 5000), 0.2],
  ["generator-limited", "late by more than that", measured({ scheduleLagP99Ms: 251 }, 5000), 0.2],
  ["target-limited", "on schedule and drops iterations", measured({ dropped: 2 }), 0.2],
  ["valid", "on schedule and drops one iteration in a thousand", measured({ dropped: 1 }), 0.2],
  ["valid", "on schedule with an unknown CPU load", measured(), undefined],
  ["valid", "of the closed model", closed, 0.99],
] as const)("is %s if the run is %s", (validity, _, summary, cpuShare) => {
  expect(validityOf(summary, { cpuShare })).toBe(validity);
});

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
