import { expect, it } from "vitest";
import { ArrivalTimes } from "../k6/arrivals.ts";
import { profiles, scale } from "../k6/profiles.ts";
import { type Steps, workloads } from "../k6/requests.ts";
import { readLine } from "../results/recording/lines.ts";
import { Recording } from "../results/recording/recording.ts";
import { invariant, type LoadResult } from "../results/result.ts";
import {
  EXAMPLE_RUN,
  exampleResult,
  LOGGED_END,
  type LoggedResponse,
  loggedResponse,
} from "../testing/example-result.ts";
import { concludeSearch } from "./breakpoint.ts";

const TRANSFERS: Steps = [{ operation: "createTransfer", weight: 1 }];
const SLO = { latency: { createTransfer: { p95: 100 } } };
const RAMP = { name: "breakpoint", ...scale(profiles.breakpoint, 100, 60) };
/** The iteration that is due after half of the ramp, at about 52/s. */
const HALF = 862;

/** What is not ordinary about the response of an iteration; `undefined` if it was never sent. */
type Responses = (iteration: number) => Partial<LoggedResponse> | undefined;

/** A ramp from 5/s to 100/s in 60 s, of which these responses are not ordinary. */
function ramp(change: Responses, given: Partial<LoadResult> = {}, steps = TRANSFERS): LoadResult {
  const arrivals = new ArrivalTimes(RAMP);
  const about = { ...EXAMPLE_RUN, profile: RAMP, iterations: arrivals.count, ...given };
  const recording = new Recording({ ...about, steps });
  for (let iteration = 0; iteration < arrivals.count; iteration += 1) {
    const response = change(iteration);
    if (response)
      recording.add(readLine(loggedResponse({ iteration, dueMs: arrivals.dueMs(iteration), ...response })));
  }
  recording.add(readLine(LOGGED_END));
  const measured = recording.summary();
  const passed = { outcome: "passed", exitCode: 0, because: "own" } as const;
  return exampleResult({ ...about, invariants: [], ...passed, ...(measured && { measured }), ...given });
}

/** What a search makes of such a ramp. */
const found = (change: Responses, given: Partial<LoadResult> = {}, steps = TRANSFERS) =>
  concludeSearch(ramp(change, given, steps));

const fromHalf =
  (response: Partial<LoggedResponse> | undefined): Responses =>
  (iteration) =>
    iteration < HALF ? {} : response;

it("finds that the target held the whole ramp", () => {
  expect(found(() => ({}))).toMatchObject({
    outcome: "passed",
    exitCode: 0,
    because: "the target held up to 100/s, the highest rate of the search; raise RATE to find its limit",
  });
});

it.each<[string, Responses]>([
  ["requests got 429", fromHalf({ outcome: "throttled" })],
  ["createTransfer requests failed: ", fromHalf({ outcome: "timeout" })],
  ["rejected, although they were valid", fromHalf({ outcome: "valid-refused" })],
  ["ms at p95 (objective: at most 100 ms)", fromHalf({ latencyMs: 450 })],
  ["k6 could not send", (iteration) => (iteration < HALF || iteration % 2 ? {} : undefined)],
])("says at which rate the target broke, and the cause: %s", (cause, change) => {
  const { exitCode, because } = found(change, { objectives: SLO });

  expect({ exitCode, because }).toEqual({ exitCode: 0, because: expect.stringContaining(cause) });
  const [, held, broke] =
    /^the target held up to ([\d.]+)\/s, and broke before ([\d.]+)\/s \(/.exec(because) ?? [];
  expect(Number(held)).toBeGreaterThan(43);
  expect(Number(broke)).toBeLessThan(62);
});

const FAILING: Responses = (one) => (one % 20 ? {} : { outcome: "timeout" });
const REJECTED: Responses = (one) => (one % 10 ? {} : { outcome: "business-refused" });

it.each<[string, Responses, LoadResult["objectives"] & object, Steps]>([
  ["rejections of repeats, which the API may reject", REJECTED, {}, workloads.transfers],
  ["a single pause", (one) => (one < 800 || one > 820 ? {} : undefined), {}, TRANSFERS],
  ["failures that the operator permits", FAILING, { technicalFailures: 0.1 }, TRANSFERS],
])("does not take it for the limit: %s", (_, change, objectives, steps) => {
  expect(found(change, { objectives }, steps).because).not.toMatch(/broke before|did not even hold/);
});

const SLOW = fromHalf({ latencyMs: 450 });
const THROTTLED = fromHalf({ outcome: "throttled" });
const LATE = { validity: "generator-limited", objectives: SLO } as const;
const L1 = { invariants: [invariant("L1", "undecided", "?")] };
const L2 = { invariants: [invariant("L2", "broken", "")] };
const own = (outcome: LoadResult["outcome"], exitCode: LoadResult["exitCode"]) => ({ outcome, exitCode });

it.each<[number, string, Responses, Partial<LoadResult>, RegExp]>([
  [1, "no rate held", (one) => (one % 2 ? {} : { outcome: "timeout" }), {}, /did not even hold [\d.]+\/s/],
  [4, "k6 may have caused the latency", SLOW, LATE, /but .* the target may hold more$/],
  [0, "the target rejects, however late k6 was", THROTTLED, LATE, /got 429/],
  [4, "an invariant is undecided", SLOW, L1, /but L1 /],
  [1, "an invariant is broken", SLOW, { ...L2, ...own("failed", 1) }, /own/],
  [4, "the run proves too little", () => ({}), own("undecided", 4), /own/],
  [130, "it was interrupted", SLOW, own("interrupted", 130), /own/],
  [70, "the suite failed", SLOW, own("error", 70), /own/],
])("exits with %i if %s", (exitCode, _, change, given, because) => {
  expect(found(change, given)).toMatchObject({ exitCode, because: expect.stringMatching(because) });
});

it("does not fail a run for limits that the ramp broke", () => {
  const { measured } = found(SLOW, { objectives: SLO });

  expect(measured?.thresholds.map(({ ok }) => ok)).not.toContain(false);
});
