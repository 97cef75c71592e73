import { describe, expect, it } from "vitest";
import { iterationsOf, optionsOf, profileNames, profiles, scale, secondsOf } from "../k6/profiles.ts";
import { Schedule } from "../k6/schedule.ts";
import { workloadNames, workloads } from "../k6/workloads.ts";

describe("profiles", () => {
  it.each(profileNames.flatMap((profile) => workloadNames.map((workload) => [profile, workload] as const)))(
    "%s is long enough for every operation of %s",
    (profile, workload) => {
      const { minIterations } = new Schedule(workloads[workload]);

      expect(iterationsOf(profiles[profile])).toBeGreaterThanOrEqual(minIterations);
    },
  );

  it("send at most 20 requests per second unless they are scaled", () => {
    expect(Math.max(...profileNames.map((name) => profiles[name].rate))).toBe(20);
  });
});

describe("optionsOf", () => {
  it("ends a smoke run after its requests and paces its users", () => {
    const { scenarios, minIterationDuration } = optionsOf(profiles.smoke, 1000);

    expect(scenarios).toEqual({
      load: {
        executor: "shared-iterations",
        vus: 3,
        iterations: 120,
        maxDuration: "120000ms",
        gracefulStop: "3000ms",
      },
    });
    expect(minIterationDuration).toBe("150ms");
  });

  it("starts the iterations of an average run by schedule and has users for slow responses", () => {
    const { scenarios } = optionsOf(scale(profiles.average, 0.5, 90), 10_000);

    expect(scenarios).toEqual({
      load: {
        executor: "constant-arrival-rate",
        rate: 500,
        timeUnit: "1000s",
        duration: "90000ms",
        preAllocatedVUs: 2,
        maxVUs: 8,
        gracefulStop: "12000ms",
      },
    });
  });
});

describe("secondsOf", () => {
  it.each([
    ["1500ms", 1.5],
    ["90s", 90],
    ["2m", 120],
    ["1h", 3600],
    ["soon", undefined],
  ])("reads %s as %s seconds", (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
  });
});
