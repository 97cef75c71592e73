import { describe, expect, it } from "vitest";
import { clientOf, patient } from "../k6/client.ts";
import { iterationsOf, optionsOf } from "../k6/traffic/executor.ts";
import { profileNames, profiles, scale, secondsOf } from "../k6/traffic/profiles.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { workloadNames, workloads } from "../k6/traffic/workloads.ts";

describe("profiles", () => {
  it.each(profileNames.flatMap((profile) => workloadNames.map((workload) => [profile, workload] as const)))(
    "%s is long enough for every operation of %s",
    (profile, workload) => {
      const { minIterations } = new Schedule(workloads[workload]);

      expect(iterationsOf(profiles[profile])).toBeGreaterThanOrEqual(minIterations);
    },
  );

  it("has as many virtual users for each runner as one machine may have, and at least two", () => {
    const options = (rate: number, runners: number) =>
      optionsOf(scale(profiles.average, rate, 60), patient(10_000), runners).scenarios?.load;

    expect(options(1000, 1)).toMatchObject({ preAllocatedVUs: 375, maxVUs: 2000 });
    expect(options(1000, 4)).toMatchObject({ preAllocatedVUs: 376, maxVUs: 8000 });
    expect(options(0.1, 4)).toMatchObject({ preAllocatedVUs: 8, maxVUs: 8 });
    // Otherwise k6 would not give every seventh iteration to the same runner.
    expect(options(100, 7)).toMatchObject({ preAllocatedVUs: 7 * 30, maxVUs: 7 * 215 });
  });

  it("start with enough virtual users for responses that take as long as those before the load", () => {
    const slow = optionsOf(scale(profiles.average, 100, 60), patient(10_000), 1, 2).scenarios?.load;

    expect(slow).toMatchObject({ preAllocatedVUs: 300 });
  });

  it("send at most 20 requests per second unless they are scaled", () => {
    expect(Math.max(...profileNames.map((name) => profiles[name].rate))).toBe(20);
  });

  it("keep their shape when they are scaled", () => {
    const scaled = scale(profiles.spike, 100, 18);

    expect(scaled).toMatchObject({ rate: 100, seconds: 18 });
    expect(scaled.stages).toEqual([
      { seconds: 6, rate: 20 },
      { seconds: 0, rate: 100 },
      { seconds: 3, rate: 100 },
      { seconds: 0, rate: 20 },
      { seconds: 9, rate: 20 },
    ]);
    expect(iterationsOf(scaled)).toBe(600);
  });
});

describe("optionsOf", () => {
  it("ends a smoke run after its requests and paces its users", () => {
    const { scenarios, minIterationDuration } = optionsOf(profiles.smoke, patient(1000));

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
    const { scenarios } = optionsOf(scale(profiles.average, 0.5, 90), patient(10_000));

    expect(scenarios).toEqual({
      load: {
        executor: "ramping-arrival-rate",
        startRate: 500,
        timeUnit: "1000s",
        stages: [
          { target: 500, duration: "90000000us" },
          { target: 1000, duration: "0s" },
          { target: 1000, duration: "500000us" },
        ],
        preAllocatedVUs: 8,
        maxVUs: 8,
        gracefulStop: "12000ms",
      },
    });
  });

  it("leaves an impatient client the time for all its attempts", () => {
    const { scenarios } = optionsOf(profiles.average, clientOf("impatient", 30_000));

    expect(scenarios).toMatchObject({ load: { gracefulStop: "10000ms", maxVUs: 240 } });
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
