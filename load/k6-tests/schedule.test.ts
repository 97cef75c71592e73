import { describe, expect, it } from "vitest";
import { ArrivalTimes } from "../k6/traffic/arrivals.ts";
import { profiles } from "../k6/traffic/profiles.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { workloadNames, workloads } from "../k6/traffic/workloads.ts";

const requests = (schedule: Schedule, count: number) =>
  Array.from({ length: count }, (_, iteration) => ({ iteration, ...schedule.requestAt(iteration) }));

describe.each(workloadNames)("the schedule of %s", (name) => {
  const schedule = new Schedule(workloads[name]);

  it("sends each step in proportion to its weight", () => {
    const steps: readonly { weight: number }[] = workloads[name];
    const total = steps.reduce((sum, { weight }) => sum + weight, 0);

    const sent = requests(schedule, 10 * total).map(({ step }) => step);

    expect(steps.map((step) => sent.filter((one) => one === step).length)).toEqual(
      steps.map(({ weight }) => 10 * weight),
    );
  });

  it.each([0, 1, 7, 50, 123])("counts the requests of the first %i iterations", (iterations) => {
    const sent = new Map<string, number>();
    for (const { step } of requests(schedule, iterations)) {
      sent.set(step.operation, (sent.get(step.operation) ?? 0) + 1);
    }

    const counts = Object.entries(schedule.requestsIn(iterations)).filter(([, count]) => count > 0);

    expect(new Map(counts)).toEqual(sent);
  });

  it("sends every operation within minIterations, and not in fewer", () => {
    const notSent = (iterations: number) =>
      Object.values(schedule.requestsIn(iterations)).filter((count) => count === 0);

    expect(notSent(schedule.minIterations)).toEqual([]);
    expect(notSent(schedule.minIterations - 1)).not.toEqual([]);
  });
});

describe("the schedule of transfers", () => {
  const schedule = new Schedule(workloads.transfers);
  const [creation] = workloads.transfers;

  it("repeats and looks up only references that were created earlier", () => {
    const reusing = requests(schedule, 500).filter(
      ({ step, iteration }) => step.creationsAgo !== undefined && iteration > 0,
    );

    expect(reusing.length).toBeGreaterThan(100);
    for (const { iteration, origin } of reusing) {
      expect(origin).toBeLessThan(iteration);
      expect(schedule.requestAt(origin)).toEqual({ step: creation, origin });
    }
  });

  it("counts back over creations, not over requests", () => {
    const { iteration, origin } = requests(schedule, 500)
      .filter(({ step }) => step.creationsAgo === 12)
      .at(-1) ?? { iteration: 0, origin: 0 };

    const creations = requests(schedule, iteration).filter(({ step }) => step === creation);

    expect(creations.filter((earlier) => earlier.iteration >= origin)).toHaveLength(12);
  });
});

describe("the schedule of payroll on a salary day", () => {
  const profile = profiles["salary-day"];
  const arrivals = new ArrivalTimes(profile);
  const schedule = new Schedule(workloads.payroll, (iteration) => arrivals.lookBack(iteration));

  it("looks up transfers 60 to 90 s after they were created, as soon as there are any, while the rate rises and later", () => {
    const lookups = [0, 5000, 50_000].flatMap((first) =>
      Array.from({ length: 2000 }, (_, index) => first + index).flatMap((iteration) => {
        const { step, origin } = schedule.requestAt(iteration);
        return step.operation === "listTransfers" ? [{ iteration, origin }] : [];
      }),
    );
    const delays = lookups
      .filter(({ iteration }) => arrivals.dueMs(iteration) > 90_000)
      .map(({ iteration, origin }) => (arrivals.dueMs(iteration) - arrivals.dueMs(origin)) / 1000);

    expect(delays.length).toBeGreaterThan(500);
    expect(Math.min(...delays)).toBeGreaterThan(59);
    expect(Math.max(...delays)).toBeLessThan(95);
    expect(lookups.every(({ iteration, origin }) => origin <= iteration)).toBe(true);
  });
});

describe("the schedule of gateway", () => {
  const schedule = new Schedule(workloads.gateway);

  it("looks up transfers, although most of its requests create none", () => {
    const first = requests(schedule, 100).findIndex(({ step }) => step.operation === "createTransfer");
    const lookups = requests(schedule, 1000).filter(
      ({ step, iteration }) => step.operation === "listTransfers" && iteration > first,
    );

    expect(lookups.length).toBeGreaterThan(100);
    for (const { origin } of lookups)
      expect(schedule.requestAt(origin).step).toEqual({ operation: "createTransfer", weight: 10 });
  });

  it("looks up a reference of its own before there is a transfer", () => {
    const [early] = requests(schedule, 10).filter(({ step }) => step.operation === "listTransfers");

    expect(early?.origin).toBe(early?.iteration);
  });
});
