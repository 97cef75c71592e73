import { describe, expect, it } from "vitest";
import { groupBy } from "../../reports/grouping.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { MAX_ITERATIONS, type ReferenceForm, referencesOf, Schedule, workloads } from "../k6/requests.ts";
import { workloadNames } from "../testing/example-load.ts";

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

  it.each([0, 7, 123])("counts the requests of the first %i iterations", (iterations) => {
    const sent = groupBy(requests(schedule, iterations), ({ step }) => step.operation);

    for (const [name, count] of Object.entries(schedule.requestsIn(iterations)))
      expect(sent.get(name as OperationId)?.length ?? 0, name).toBe(count);
  });

  it("sends every operation within minIterations, and not in fewer", () => {
    const counts = (iterations: number) => Object.values(schedule.requestsIn(iterations));

    expect(counts(schedule.minIterations)).not.toContain(0);
    expect(counts(schedule.minIterations - 1)).toContain(0);
  });
});

describe("a repeat or a lookup", () => {
  it.each(["transfers", "gateway"] as const)("has a reference that %s created earlier", (name) => {
    const schedule = new Schedule(workloads[name]);
    const all = requests(schedule, 1000);
    const first = all.findIndex(({ step, origin, iteration }) =>
      step.operation === "createTransfer" ? origin === iteration : false,
    );

    const reusing = all.slice(first + 1).filter(({ step }) => step.creationsAgo !== undefined);

    expect(reusing.length).toBeGreaterThan(100);
    for (const { iteration, origin } of reusing) {
      expect(origin).toBeLessThan(iteration);
      expect(schedule.requestAt(origin).step).toMatchObject({ operation: "createTransfer" });
      expect(schedule.requestAt(origin)).toMatchObject({ origin });
    }
  });

  it("counts back over creations, not over requests", () => {
    const [creation] = workloads.transfers;
    const all = requests(new Schedule(workloads.transfers), 500);
    const last = all.findLast(({ step }) => step.creationsAgo === 12);

    const since = all.slice(last?.origin, last?.iteration).filter(({ step }) => step === creation);

    expect(since).toHaveLength(12);
  });

  it("is known when its transfer is sent", () => {
    const schedule = new Schedule(workloads.transfers);
    const all = requests(schedule, 1000);

    const repeated = all.filter(({ step }) => step.operation === "createTransfer" && step.creationsAgo);

    const known = all.flatMap(({ iteration }) => (schedule.isRepeated(iteration) ? iteration : []));
    expect(known).toEqual(expect.arrayContaining(repeated.map(({ origin }) => origin)));
    expect(known.length).toBeLessThan(all.length / 5);
  });
});

it.each<[ReferenceForm, RegExp]>([
  ["plain", /^load-0123abc[de]-\d{7}$/],
  ["uuid", /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/],
  ["digits", /^\d{17}$/],
  ["short", /^[a-z\d]{1,20}$/],
])("makes %s references that differ, and of which none is part of another", (form, pattern) => {
  const references = referencesOf("0123abcd", form);
  const all = [
    ...[0, 1, 10, MAX_ITERATIONS - 1].map(references.at),
    references.control,
    references.unused,
    referencesOf("0123abce", form).control,
  ];

  expect(all.every((reference) => pattern.test(reference))).toBe(true);
  expect(new Set(all.map(({ length }) => length)).size).toBe(1);
  expect(new Set(all).size).toBe(all.length);
});
