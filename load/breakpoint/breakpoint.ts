import { join } from "node:path";
import { plural } from "../../reports/wording.ts";
import { ArrivalTimes } from "../k6/arrivals.ts";
import { writeJson, writeResults } from "../results/files.ts";
import { requestsIn } from "../results/measurements.ts";
import { addSlices } from "../results/recording/recording.ts";
import type { Decision, Limits, LoadResult, Series, Summary, Threshold } from "../results/result.ts";
import { judgeFailures, judgeLatencies } from "../results/thresholds.ts";
import { lateness } from "../results/validity.ts";

/** What a search found, in the folder of its run. */
const BREAKPOINT = "breakpoint.json";

const PASSED = { outcome: "passed", exitCode: 0 } as const;
const FAILED = { outcome: "failed", exitCode: 1 } as const;

interface Conclusion extends Decision {
  /** The rate up to which the target held, and the one by which it broke, in requests per second; absent if unknown. */
  readonly bounds: { readonly held?: number; readonly broke?: number };
  readonly causes: readonly Cause[];
}

/**
 * Judges a ramp as a search for the highest rate, and writes that into its folder; returns the result with the verdict of the
 * search.
 */
export async function concludeSearch(directory: string, ramp: LoadResult): Promise<LoadResult> {
  const found = conclude(ramp);
  const { runId, target, workload, profile, objectives, measured } = ramp;
  const schema = "payments-conformance/breakpoint@2";
  const about = { schema, runId, target, workload, top: profile.rate, seconds: profile.seconds, objectives };
  writeJson(join(directory, BREAKPOINT), { ...about, ...found });
  const { bounds: _, causes: __, ...decision } = found;
  const result = { ...ramp, ...decision, ...(measured && { measured: judgedInParts(measured) }) };
  await writeResults(directory, result);
  return result;
}

/** A ramp is meant to break limits: they decide where it broke, and do not fail the run. */
const judgedInParts = (measured: Summary): Summary => ({
  ...measured,
  thresholds: measured.thresholds.map((one) => (one.ok ? one : { ...one, ok: true, isJudged: false })),
});

/** Decides what a ramp shows; if something else than its rate decided about the run, that decides about the search. */
export function conclude(ramp: LoadResult): Conclusion {
  const { outcome, exitCode, because, measured, profile, invariants, validity, generator } = ramp;
  const own: Conclusion = { outcome, exitCode, because, bounds: {}, causes: [] };
  const isWrong = measured?.thresholds.some(({ ok, kind }) => !ok && kind === "responses") ?? true;
  const hasEnded = exitCode !== 70 && exitCode !== 130;
  if (!hasEnded || isWrong || invariants.some(({ state }) => state === "broken")) return own;

  const broken = breakOf(ramp);
  if (!broken && exitCode !== 0) return own;
  const { held = profile.rate, broke, isFirst = false, causes = [] } = broken ?? {};
  const found = { bounds: { ...(!isFirst && { held }), ...(broke && { broke }) }, causes };
  const text = inWords(broken, held);
  const undecided = (why: string) =>
    ({ ...found, outcome: "undecided", exitCode: 4, because: `${text}, but ${why}` }) as const;

  const mayBeLate = causes.every(({ kind }) => kind === "latency" || kind === "schedule");
  if (validity === "generator-limited" && mayBeLate)
    return undecided(`${lateness(measured, generator).why}: the target may hold more`);
  const open = invariants.filter(({ state }) => state === "undecided");
  if (open.length > 0)
    return undecided(open.map(({ id, title, text }) => `${id} (${title}): ${text}`).join("; "));
  return { ...found, ...(isFirst ? FAILED : PASSED), because: text };
}

function inWords(broken: ReturnType<typeof breakOf>, held: number): string {
  if (!broken)
    return `the target held up to ${held}/s, the highest rate of the search; raise RATE to find its limit`;
  const why = `${broken.broke}/s (${broken.causes[0]?.text})`;
  return broken.isFirst
    ? `the target did not even hold ${why}`
    : `the target held up to ${held}/s, and broke before ${why}`;
}

/** Number of responses after which a part of a ramp is judged: enough that a single failure does not decide. */
const RESPONSES = 200;
/** No part is shorter than this share of the ramp. */
const SHORTEST = 1 / 20;
/** The share of requests that may be throttled or not sent at a rate that the target holds. */
const MOST_LOST = 0.01;

/** Why a target did not hold a rate. */
interface Cause {
  readonly kind: "errors" | "throttling" | "latency" | "schedule";
  /** The operation whose latency it is. */
  readonly operation?: string;
  readonly text: string;
}

/**
 * Finds the first part of a ramp in which something broke, and what, the most telling cause first; `undefined` if nothing
 * did. Nothing broke below `held`, in requests per second, and something did between `held` and `broke`.
 */
function breakOf(ramp: LoadResult) {
  const { measured, profile, objectives = {} } = ramp;
  const { seconds, stages = [], rate: top } = profile;
  const lowest = stages[0]?.rate ?? top;
  const rateAt = (second: number) =>
    Number((lowest + ((top - lowest) * Math.min(second, seconds)) / seconds).toPrecision(3));
  const parts = measured ? partsOf(measured.series, ramp) : [];
  for (const [index, part] of parts.entries()) {
    // One pause makes k6 add virtual users, and it drops an iteration for each: only a target that stays behind breaks.
    const staysBehind = part.missing > 0 && (parts[index + 1] ?? part).missing > 0;
    const causes = [...brokenIn(part, objectives), ...(staysBehind ? [behind(part)] : [])];
    if (causes.length > 0)
      return { held: rateAt(part.begin), broke: rateAt(part.end), isFirst: index === 0, causes };
  }
  return undefined;
}

/** A part of a ramp, and what came back in it. */
type Part = ReturnType<typeof partsOf>[number];
type Slice = Series["slices"][number];

function partsOf({ sliceSeconds, slices }: Series, { profile, iterations }: LoadResult) {
  const times = new ArrivalTimes(profile);
  let sent = 0;
  return cut(slices, Math.max(1, (profile.seconds * SHORTEST) / sliceSeconds)).map((part) => {
    const end = (part.at(-1)?.second ?? 0) + sliceSeconds;
    const [from, until] = [sent, Math.min(iterations, Math.floor(times.dueBy(end)))];
    sent = until;
    const operations = addSlices(part);
    const due = until - from;
    const lost = due - requestsIn({ operations });
    return {
      begin: part[0]?.second ?? 0,
      end,
      operations,
      due,
      missing: lost > Math.max(1, due * MOST_LOST) ? lost : 0,
    };
  });
}

/** Cuts a run into parts of enough responses and of at least `fewest` slices; the last one may have less. */
function cut(slices: readonly Slice[], fewest: number): Slice[][] {
  const parts: Slice[][] = [];
  let [open, responses]: [Slice[], number] = [[], 0];
  for (const slice of slices) {
    if (open.length === 0) parts.push(open);
    open.push(slice);
    responses += requestsIn(slice);
    if (responses >= RESPONSES && open.length >= fewest) [open, responses] = [[], 0];
  }
  return parts;
}

function brokenIn({ operations }: Part, objectives: Limits): Cause[] {
  const all = requestsIn({ operations });
  const throttled = requestsIn({ operations }, (one) => one === "throttled");
  const throttling = `${ofAll(throttled, all)} got 429, or 503 with Retry-After`;
  const broken = (kind: Cause["kind"], judged: readonly Threshold[]): Cause[] =>
    judged
      .filter(({ ok }) => !ok)
      .map(({ operation, text }) => ({ kind, ...(operation && { operation }), text }));
  return [
    ...broken("errors", judgeFailures(operations, objectives)),
    ...(throttled > all * MOST_LOST ? [{ kind: "throttling" as const, text: throttling }] : []),
    ...broken("latency", judgeLatencies(operations, objectives)),
  ];
}

function behind({ operations, missing, due }: Part): Cause {
  const averages = Object.entries(operations).map(([name, { histogram }]) => ({
    name,
    ms: histogram.sum / histogram.count,
  }));
  const [slowest] = averages.toSorted((a, b) => b.ms - a.ms);
  const took = slowest ? `; ${slowest.name} took ${Math.round(slowest.ms)} ms on average` : "";
  const text = `responses took so long that k6 could not send ${ofAll(missing, due)}${took}`;
  return { kind: "schedule", text };
}

const ofAll = (some: number, requests: number) => `${some} of ${plural(requests, "request")}`;
