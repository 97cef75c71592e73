import { plural } from "../../reports/text/wording.ts";
import type { Objectives } from "../k6/thresholds.ts";
import { ArrivalTimes } from "../k6/traffic/arrivals.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import type { Steps } from "../k6/traffic/workloads.ts";
import { type Answered, judgeFailures } from "../results/failures.ts";
import { unjudgedObjectives } from "../results/measurements.ts";
import { requestsIn } from "../results/outcome-counts.ts";
import type { LoadResult } from "../results/result.ts";
import type { Planned, Summary } from "../results/summary.ts";
import { judgeLatencies, sentAndAnswered } from "../results/thresholds.ts";
import { lateness } from "../results/validity.ts";
import type { Cause } from "./cause.ts";

/** The share of the requests that may be throttled, refused or unsent, or of the time that k6 may be late, at a rate that is held. */
export const MOST_LOST = 0.01;

/** What one run of a search shows. */
export interface JudgedStep {
  /**
   * `defect`: an invariant is broken, and a higher or lower rate would not excuse it. `stopped`: the run was interrupted or
   * the suite failed.
   */
  readonly state: "held" | "broke" | "defect" | "stopped";
  /** What broke, the most telling cause first. */
  readonly causes: readonly Cause[];
  /** The invariants that the run leaves undecided, in words. */
  readonly undecided: readonly string[];
}

/** Judges a run of constant rate: whether the target held it and, if not, what broke. */
export function judgeStep(result: LoadResult, steps: Steps): JudgedStep {
  const { measured, invariants, exitCode } = result;
  const undecided = invariants.filter(({ state }) => state === "undecided").map(inWords);
  if (!measured || exitCode === 70 || exitCode === 130) return { state: "stopped", causes: [], undecided };
  if (brokenInvariants(result).length > 0) return { state: "defect", causes: [], undecided };
  const ofTarget = [
    ...brokenIn(measured.operations, result.objectives),
    ...responses(measured, new Schedule(steps), result.iterations),
    ...schedule(result, measured),
  ];
  const causes = mayBeGenerator(result, ofTarget) ? [generatorCause(result), ...ofTarget] : ofTarget;
  return { state: causes.length === 0 ? "held" : "broke", causes, undecided };
}

/**
 * Whether the generator may be to blame. Latency counts from the time at which a request was due, so a late start is part of
 * it. A target that gets through a slightly late schedule holds an even one as well, and what it rejects, it rejects itself.
 */
function mayBeGenerator({ validity, measured, profile }: LoadResult, ofTarget: readonly Cause[]): boolean {
  if (validity !== "generator-limited") return false;
  const lateSeconds = (measured?.scheduleLagP99Ms ?? 0) / 1000;
  if (lateSeconds > profile.seconds * MOST_LOST) return true;
  return ofTarget.length > 0 && ofTarget.every(({ kind }) => kind === "latency" || kind === "schedule");
}

/** What limits the meaning of a run: objectives that were not judged, and latencies that contain a delay of the generator. */
export function notesOn(result: LoadResult): string[] {
  const { measured, validity, generator } = result;
  if (!measured) return [];
  const late = `The latencies contain a delay: ${lateness(measured, generator).why}`;
  return [...unjudgedObjectives(result, measured), ...(validity === "generator-limited" ? [late] : [])];
}

/** The invariants that a run broke, in words. */
export const brokenInvariants = ({ invariants }: Pick<LoadResult, "invariants">): string[] =>
  invariants.filter(({ state }) => state === "broken").map(inWords);

const inWords = ({ id, title, text }: LoadResult["invariants"][number]) => `${id} (${title}): ${text}`;

/** What the responses of a run, or of a part of it, show to be broken. */
export function brokenIn(operations: Answered, objectives: Objectives = {}): Cause[] {
  const shares = judgeFailures(operations, objectives);
  const latencies = Object.entries(operations)
    .flatMap(([name, operation]) => judgeLatencies(name, operation, objectives))
    .toSorted((a, b) => b.factor - a.factor);
  return [
    ...shares.filter(({ ok }) => !ok).map(({ text }) => ({ kind: "errors", text }) as const),
    ...throttling(operations),
    ...latencies
      .filter(({ ok }) => !ok)
      .map(({ operation, text }) => ({ kind: "latency", operation, text }) as const),
  ];
}

const generatorCause = ({ measured, generator }: LoadResult): Cause => ({
  kind: "generator",
  text: lateness(measured, generator).why,
});

function throttling(operations: Answered): Cause[] {
  const requests = requestsIn({ operations });
  const throttled = requestsIn({ operations }, (outcome) => outcome === "throttled");
  if (throttled <= requests * MOST_LOST) return [];
  return [{ kind: "throttling", text: `${ofAll(throttled, requests)} got 429, or 503 with Retry-After` }];
}

/** What names something else than a new record may be refused, and what asks for a rejection must be. */
function responses({ operations }: Summary, schedule: Schedule, iterations: number): Cause[] {
  const asked = schedule.requestsIn(iterations, ({ refusal }) => refusal !== undefined);
  const named = schedule.requestsIn(iterations, ({ names }) => names !== undefined);
  const earlier = schedule.requestsIn(iterations, ({ creationsAgo }) => creationsAgo !== undefined);
  const countIn = (counts: Planned, name: string) => new Map(Object.entries(counts)).get(name) ?? 0;
  const wrong = Object.entries(operations).flatMap(([name, operation]) =>
    sentAndAnswered(name, operation, countIn(asked, name), countIn(named, name)),
  );
  const refused = Object.entries(operations).reduce((sum, [name, { outcomes }]) => {
    const { "business-refused": all = 0 } = outcomes;
    return sum + Math.max(0, all - countIn(asked, name) - countIn(named, name) - countIn(earlier, name));
  }, 0);
  const requests = requestsIn({ operations });
  const texts = [
    ...(refused > requests * MOST_LOST
      ? [`${ofAll(refused, requests)} were refused, although the API should accept them`]
      : []),
    ...wrong.map(({ text }) => text),
  ];
  return texts.map((text) => ({ kind: "responses", text }));
}

/** At the beginning, k6 drops an iteration for each virtual user that it adds: only the second half counts. */
function schedule({ profile }: LoadResult, { series, operations }: Summary): Cause[] {
  const { sliceSeconds, slices } = series;
  const start = Math.ceil(profile.seconds / 2 / sliceSeconds) * sliceSeconds;
  const due = dueFrom(start, new ArrivalTimes(profile));
  const late = slices.filter(({ second }) => second >= start);
  const missing = due - late.reduce((sum, slice) => sum + requestsIn(slice), 0);
  if (missing <= Math.max(1, due * MOST_LOST)) return [];
  const [slowest, averageMs] = Object.entries(operations)
    .map(([name, { latencyMs }]) => [name, latencyMs.avg ?? 0] as const)
    .reduce((most, one) => (one[1] > most[1] ? one : most));
  const text = `responses took so long that k6 could not send ${ofAll(missing, due)} of its second half; ${slowest} took ${Math.round(averageMs)} ms on average`;
  return [{ kind: "schedule", text }];
}

/** How many iterations are due from this second on. */
function dueFrom(second: number, times: ArrivalTimes): number {
  let first = times.count;
  while (first > 0 && times.dueMs(first - 1) >= second * 1000) first -= 1;
  return times.count - first;
}

const ofAll = (some: number, requests: number) => `${some} of ${plural(requests, "request")}`;
