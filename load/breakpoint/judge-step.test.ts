import { describe, expect, it } from "vitest";
import { ArrivalTimes } from "../k6/traffic/arrivals.ts";
import { scale, shaped } from "../k6/traffic/profiles.ts";
import { type Steps, workloads } from "../k6/traffic/workloads.ts";
import { invariant } from "../results/invariant.ts";
import { readLine } from "../results/recording/answers.ts";
import { Recording } from "../results/recording/recording.ts";
import type { LoadResult } from "../results/result.ts";
import {
  EXAMPLE_RUN,
  exampleResult,
  LOGGED_END,
  type LoggedAnswer,
  loggedAnswer,
} from "../testing/example-result.ts";
import { judgeStep } from "./judge-step.ts";
import { hintOf } from "./ramp.ts";

const TRANSFERS: Steps = [{ operation: "createTransfer", weight: 1 }];
const SLO = { latency: { createTransfer: { p95: 100 } } };

/** A run of 100 requests a second for ten seconds, of which these responses are not ordinary. */
function run(
  change: (iteration: number) => Partial<LoggedAnswer> | undefined,
  given: Partial<LoadResult> = {},
) {
  const profile = { name: "average", ...scale(shaped([{ seconds: 1, rate: 1 }]), 100, 10) };
  const about = { ...EXAMPLE_RUN, profile, iterations: 1000, ...given };
  const arrivals = new ArrivalTimes(about.profile);
  const recording = new Recording({ ...about, steps: TRANSFERS }, { createTransfer: 1000 });
  for (let iteration = 0; iteration < about.iterations; iteration += 1) {
    const answer = change(iteration);
    const dueMs = arrivals.dueMs(iteration);
    if (answer) recording.add(readLine(loggedAnswer({ iteration, dueMs, ...answer })));
  }
  recording.add(readLine(LOGGED_END));
  const measured = recording.summary();
  return exampleResult({ ...about, invariants: [], exitCode: 0, ...(measured && { measured }), ...given });
}

const first = (count: number, answer: Partial<LoggedAnswer>) => (iteration: number) =>
  iteration < count ? answer : {};
const kindsOf = (result: LoadResult, steps = TRANSFERS) =>
  judgeStep(result, steps).causes.map(({ kind }) => kind);

describe("judgeStep", () => {
  it("says that the target held a rate if nothing is broken", () => {
    expect(judgeStep(run(first(10, { outcome: "throttled" })), TRANSFERS)).toEqual({
      state: "held",
      causes: [],
      undecided: [],
    });
  });

  it.each([
    ["throttling", first(11, { outcome: "throttled" }), "11 of 1,000 requests got 429"],
    ["errors", first(11, { outcome: "timeout" }), "11 of 1,000 createTransfer requests failed: 11 timeouts"],
    ["errors", first(11, { outcome: "auth-error" }), "11 of 1,000 createTransfer requests failed"],
    ["responses", first(11, { outcome: "business-refused" }), "11 of 1,000 requests were refused"],
    ["latency", first(60, { latencyMs: 450 }), "ms at p95 (objective: at most 100 ms)"],
    [
      "schedule",
      (iteration: number) => (iteration < 500 || iteration % 50 ? {} : undefined),
      "could not send",
    ],
  ])("names %s as the cause", (kind, change, text) => {
    const { state, causes } = judgeStep(run(change, { objectives: SLO }), TRANSFERS);

    expect({ state, causes }).toMatchObject({
      state: "broke",
      causes: [{ kind, text: expect.stringContaining(text) }],
    });
  });

  it("names the operation whose latency is furthest above its objective", () => {
    const objectives = {
      latency: { createTransfer: { p95: 100 }, listTransfers: { p95: 100 } },
    };
    const slow = run(
      (iteration) => (iteration % 2 ? { operation: "listTransfers", latencyMs: 300 } : { latencyMs: 120 }),
      { objectives },
    );

    expect(judgeStep(slow, TRANSFERS).causes.map(({ operation }) => operation)).toEqual([
      "listTransfers",
      "createTransfer",
    ]);
  });

  it("blames a late generator before the target, but not for what the target rejects", () => {
    const late = { validity: "generator-limited", objectives: SLO } as const;

    expect(kindsOf(run(first(60, { latencyMs: 450, lagMs: 60 }), late))).toEqual(["generator", "latency"]);
    expect(kindsOf(run(first(60, { outcome: "throttled", lagMs: 60 }), late))).toEqual(["throttling"]);
    expect(kindsOf(run(first(60, { outcome: "throttled", lagMs: 150 }), late))).toEqual([
      "generator",
      "throttling",
    ]);
  });

  it("takes a rate for held if k6 was a little late and nothing broke: its requests came in bursts", () => {
    const lateBy = (lagMs: number) => run(() => ({ lagMs }), { validity: "generator-limited" });

    expect([kindsOf(lateBy(60)), kindsOf(lateBy(150))]).toEqual([[], ["generator"]]);
  });

  it("lets a repeat of a transfer be refused", () => {
    const refused = run((iteration) => (iteration % 10 ? {} : { outcome: "business-refused" }));

    expect(kindsOf(refused, workloads.transfers)).toEqual([]);
    expect(kindsOf(refused)).toEqual(["responses"]);
  });

  it("counts what k6 did not send only once the run has warmed up", () => {
    expect(kindsOf(run((iteration) => (iteration < 400 && iteration % 2 ? undefined : {})))).toEqual([]);
  });

  it("takes the operator's limit of technical failures instead of its own", () => {
    const objectives = { technicalFailures: 0.1 };

    expect(kindsOf(run(first(100, { outcome: "timeout" }), { objectives }))).toEqual([]);
    expect(kindsOf(run(first(101, { outcome: "timeout" }), { objectives }))).toEqual(["errors"]);
  });

  it("tells a broken invariant from a rate that is too high, and keeps what is undecided", () => {
    const broken = [invariant("L2", "broken", "twice"), invariant("L1", "undecided", "not listed")];

    expect(judgeStep(run(first(900, { outcome: "timeout" }), { invariants: broken }), TRANSFERS)).toEqual({
      state: "defect",
      causes: [],
      undecided: ["L1 (every accepted transfer is listed): not listed"],
    });
  });

  it("judges no run that was interrupted", () => {
    expect(
      judgeStep(
        run(() => ({}), { exitCode: 130 }),
        TRANSFERS,
      ).state,
    ).toBe("stopped");
  });
});

describe("hintOf", () => {
  const ramp = {
    name: "breakpoint",
    ...scale(
      shaped([
        { seconds: 0, rate: 1 },
        { seconds: 10, rate: 20 },
      ]),
      200,
      10,
    ),
  };

  it("is the rate at which a ramp began to break, and what broke", () => {
    const { rate, causes } = hintOf(run(first(0, {}), { profile: ramp }));
    const broken = hintOf(
      run((iteration) => (iteration >= 287 ? { outcome: "throttled" } : {}), { profile: ramp }),
    );

    expect({ rate, causes }).toEqual({ rate: 200, causes: [] });
    // Five seconds into a ramp from 10/s to 200/s.
    expect(broken.rate).toBeCloseTo(105, 0);
    expect(broken.causes).toMatchObject([{ kind: "throttling" }]);
  });
});
