import { describe, expect, it } from "vitest";
import { ArrivalTimes } from "../k6/arrivals.ts";
import { optionsOfRun, profiles, scale } from "../k6/profiles.ts";
import { Schedule, workloads } from "../k6/requests.ts";
import { exampleSettings, profileNames, workloadNames } from "../testing/example-load.ts";

describe("profiles", () => {
  it.each(profileNames)("%s is long enough for every operation of every workload", (name) => {
    const needed = workloadNames.map((workload) => new Schedule(workloads[workload]).minIterations);

    expect(new ArrivalTimes(profiles[name]).count).toBeGreaterThanOrEqual(Math.max(...needed));
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
    expect(new ArrivalTimes(scaled).count).toBe(600);
  });
});

describe("the virtual users of an open run", () => {
  it.each([
    ["as many as one machine may have", 1000, 1, 0, { preAllocatedVUs: 375, maxVUs: 2000 }],
    ["as many for each runner", 1000, 4, 0, { preAllocatedVUs: 376, maxVUs: 8000 }],
    ["at least two for each runner", 0.1, 4, 0, { preAllocatedVUs: 8, maxVUs: 8 }],
    // Otherwise k6 would not give every seventh iteration to the same runner.
    ["a multiple of the runners", 100, 7, 0, { preAllocatedVUs: 7 * 30, maxVUs: 7 * 215 }],
    ["enough for responses as slow as those before the load", 100, 1, 2, { preAllocatedVUs: 300 }],
  ])("are %s", (_, rate, runners, expectedSeconds, users) => {
    const profile = { name: "average", ...scale(profiles.average, rate, 60) };
    const settings = { ...exampleSettings("readers", "average"), profile, runners, expectedSeconds };

    expect(optionsOfRun(settings).scenarios?.load).toMatchObject(users);
  });
});

describe("optionsOfRun", () => {
  it.each([
    [1, true],
    [20, false],
  ])(
    "at %i requests per second, opens a connection for each: %s, since servers drop idle ones",
    (rate, opens) => {
      const settings = exampleSettings("readers", "average");
      const profile = { name: "average", ...scale(profiles.average, rate) };

      expect(optionsOfRun({ ...settings, profile }).noConnectionReuse).toBe(opens);
    },
  );

  it("stops a runner, which no launcher watches, if its responses are mostly server errors", () => {
    const { thresholds } = optionsOfRun({ ...exampleSettings("transfers", "average"), runners: 4 });

    expect(thresholds).toEqual({
      server_errors: [{ threshold: "rate<=0.5", abortOnFail: true, delayAbortEval: "30s" }],
    });
  });
});
