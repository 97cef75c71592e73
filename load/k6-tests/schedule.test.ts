import { describe, expect, it } from "vitest";
import { controlReference, MAX_ITERATIONS, referenceOf, unusedReference } from "../k6/reference.ts";
import { Schedule } from "../k6/schedule.ts";
import { workloadNames, workloads } from "../k6/workloads.ts";

const turns = (schedule: Schedule, count: number) =>
  Array.from({ length: count }, (_, iteration) => ({ iteration, ...schedule.turn(iteration) }));

describe.each(workloadNames)("workload %s", (name) => {
  const schedule = new Schedule(workloads[name]);

  it("sends its operations in the proportion of their weights", () => {
    const steps: readonly { weight: number }[] = workloads[name];
    const total = steps.reduce((sum, { weight }) => sum + weight, 0);

    const sent = turns(schedule, 10 * total).map(({ step }) => step);

    expect(steps.map((step) => sent.filter((one) => one === step).length)).toEqual(
      steps.map(({ weight }) => 10 * weight),
    );
  });

  it.each([0, 1, 7, 50, 123])(
    "knows the requests of the first %i iterations without playing them",
    (count) => {
      const played = new Map<string, number>();
      for (const { step } of turns(schedule, count)) {
        played.set(step.operation, (played.get(step.operation) ?? 0) + 1);
      }

      const counts = Object.entries(schedule.counts(count)).filter(([, number]) => number > 0);

      expect(new Map(counts)).toEqual(played);
    },
  );

  it("reaches every operation in its shortest run and not before", () => {
    const missing = (count: number) => Object.values(schedule.counts(count)).filter((number) => number === 0);

    expect(missing(schedule.shortest)).toEqual([]);
    expect(missing(schedule.shortest - 1)).not.toEqual([]);
  });
});

describe("workload transfers", () => {
  const schedule = new Schedule(workloads.transfers);

  it("repeats only references of creations that come earlier", () => {
    const later = turns(schedule, 500).filter(
      ({ step, iteration }) => step.back !== undefined && iteration > 0,
    );

    expect(later.length).toBeGreaterThan(100);
    for (const { iteration, origin } of later) {
      expect(origin).toBeLessThan(iteration);
      expect(schedule.turn(origin)).toEqual({ step: workloads.transfers[0], origin });
    }
  });

  it("looks back over creations, not over requests", () => {
    const { iteration, origin } = turns(schedule, 500)
      .filter(({ step }) => step.back === 12)
      .at(-1) ?? {
      iteration: 0,
      origin: 0,
    };
    const between = turns(schedule, iteration).filter(({ step }) => step === workloads.transfers[0]);

    expect(between.filter(({ iteration: other }) => other >= origin)).toHaveLength(12);
  });
});

describe("references", () => {
  it("are of one length, so that none is part of another", () => {
    const references = [0, 1, 10, MAX_ITERATIONS - 1].map((iteration) => referenceOf("0123abcd", iteration));
    const all = [...references, controlReference("0123abcd"), unusedReference("0123abcd")];

    expect(new Set(all.map(({ length }) => length)).size).toBe(1);
    expect(new Set(all).size).toBe(all.length);
  });
});
