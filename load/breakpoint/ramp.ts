import { plural } from "../../reports/wording.ts";
import { ArrivalTimes } from "../k6/traffic/arrivals.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import type { Steps } from "../k6/traffic/workloads.ts";
import { requestsIn } from "../results/outcome-counts.ts";
import { Histogram } from "../results/recording/histogram.ts";
import type { Limits, LoadResult } from "../results/result.ts";
import type { Outcomes, Series } from "../results/summary.ts";
import { judgeFailures, judgeLatencies, type Responses } from "../results/thresholds.ts";

/** Number of responses after which a part of a ramp is judged: enough that a single failure does not decide. */
const RESPONSES = 200;
/** No part is shorter than this share of the ramp. */
const SHORTEST = 1 / 20;
/** The share of requests that may be throttled, refused without need or not sent at a rate that the target holds. */
const MOST_LOST = 0.01;

/** Why a target did not hold a rate. */
export interface Cause {
  readonly kind: "errors" | "throttling" | "responses" | "latency" | "schedule";
  /** The operation whose latency it is. */
  readonly operation?: string;
  readonly text: string;
}

/** A part of a ramp, and what came back in it. */
interface Part {
  readonly begin: number;
  readonly end: number;
  readonly operations: Responses;
}

/** Where a ramp broke: nothing broke below `held`, in requests per second, and something did between `held` and `broke`. */
export interface Break {
  readonly held: number;
  readonly broke: number;
  /** Whether the first part broke, so that the target held no rate. */
  readonly isFirst: boolean;
  /** What broke, the most telling cause first. */
  readonly causes: readonly Cause[];
}

/** Finds the first part of a ramp in which something broke; `undefined` if nothing did. */
export function breakOf(
  { measured, profile, objectives, iterations }: LoadResult,
  steps: Steps,
): Break | undefined {
  if (!measured) return undefined;
  const { seconds, stages = [], rate: top } = profile;
  const lowest = stages[0]?.rate ?? top;
  const rateAt = (second: number) =>
    Number((lowest + ((top - lowest) * Math.min(second, seconds)) / seconds).toPrecision(3));
  const parts = partsOf(measured.series, seconds * SHORTEST);
  const due = dueIn(parts, new ArrivalTimes(profile), new Schedule(steps), iterations);
  const missing = parts.map(({ operations }, index) => missingIn(operations, due[index]?.count ?? 0));
  for (const [index, { begin, end, operations }] of parts.entries()) {
    const { count = 0, mayBeRefused = 0 } = due[index] ?? {};
    const lost = missing[index] ?? 0;
    // One pause makes k6 add virtual users, and it drops an iteration for each: only a target that stays behind breaks.
    const staysBehind = lost > 0 && (missing[index + 1] ?? lost) > 0;
    const causes: Cause[] = [
      ...brokenIn(operations, objectives),
      ...refusals(operations, mayBeRefused),
      ...(staysBehind ? [behind(operations, lost, count)] : []),
    ];
    if (causes.length > 0) return { held: rateAt(begin), broke: rateAt(end), isFirst: index === 0, causes };
  }
  return undefined;
}

/** Cuts a run into parts of enough responses; the last one may have fewer. */
function partsOf({ sliceSeconds, slices }: Series, shortestSeconds: number): Part[] {
  const parts: Part[] = [];
  let open: Series["slices"][number][] = [];
  for (const [index, slice] of slices.entries()) {
    open.push(slice);
    const begin = open[0]?.second ?? 0;
    const end = slice.second + sliceSeconds;
    const isLong = end - begin >= shortestSeconds;
    const isEnough = open.reduce((sum, one) => sum + requestsIn(one), 0) >= RESPONSES;
    if (index < slices.length - 1 && !(isLong && isEnough)) continue;
    parts.push({ begin, end, operations: summedUp(open) });
    open = [];
  }
  return parts;
}

function summedUp(slices: Series["slices"]): Responses {
  const names = new Set(slices.flatMap(({ operations }) => Object.keys(operations)));
  return Object.fromEntries(
    [...names].map((name) => {
      const all = slices.flatMap(({ operations }) => operations[name] ?? []);
      const histogram = all.reduce((sum, one) => sum.addAll(Histogram.from(one.histogram)), new Histogram());
      return [name, { outcomes: added(all.map(({ outcomes }) => outcomes)), histogram: histogram.toJSON() }];
    }),
  );
}

function added(all: readonly Outcomes[]): Outcomes {
  const sum: Record<string, number> = {};
  for (const [outcome, count] of all.flatMap((one) => Object.entries(one)))
    sum[outcome] = (sum[outcome] ?? 0) + count;
  return sum;
}

/** How many requests are due in each part, and how many of them may be refused: those that name no new record. */
function dueIn(parts: readonly Part[], times: ArrivalTimes, schedule: Schedule, iterations: number) {
  let next = 0;
  return parts.map(({ end }) => {
    const due = { count: 0, mayBeRefused: 0 };
    for (; next < iterations && times.dueMs(next) < end * 1000; next += 1) {
      const { refusal, names, creationsAgo } = schedule.requestAt(next).step;
      due.count += 1;
      if ((refusal ?? names ?? creationsAgo) !== undefined) due.mayBeRefused += 1;
    }
    return due;
  });
}

function missingIn(operations: Responses, due: number): number {
  const missing = due - requestsIn({ operations });
  return missing > Math.max(1, due * MOST_LOST) ? missing : 0;
}

function brokenIn(operations: Responses, objectives: Limits = {}): Cause[] {
  const latencies = Object.entries(operations)
    .flatMap(([name, operation]) => judgeLatencies(name, operation, objectives))
    .toSorted((a, b) => b.factor - a.factor);
  return [
    ...judgeFailures(operations, objectives)
      .filter(({ ok }) => !ok)
      .map(({ text }) => ({ kind: "errors", text }) as const),
    ...throttling(operations),
    ...latencies
      .filter(({ ok }) => !ok)
      .map(({ operation, text }) => ({ kind: "latency", operation, text }) as const),
  ];
}

function throttling(operations: Responses): Cause[] {
  const [some, all] = countsOf(operations, "throttled");
  if (some <= all * MOST_LOST) return [];
  return [{ kind: "throttling", text: `${ofAll(some, all)} got 429, or 503 with Retry-After` }];
}

function refusals(operations: Responses, allowed: number): Cause[] {
  const [some, all] = countsOf(operations, "business-refused");
  const wrong = some - allowed;
  if (wrong <= all * MOST_LOST) return [];
  const text = `${ofAll(wrong, all)} were refused, although the API should accept them`;
  return [{ kind: "responses", text }];
}

function behind(operations: Responses, missing: number, due: number): Cause {
  const [slowest] = Object.entries(operations)
    .map(([name, { histogram }]) => ({ name, ...Histogram.from(histogram) }))
    .map(({ name, sum, count }) => ({ name, ms: sum / count }))
    .toSorted((a, b) => b.ms - a.ms);
  const took = slowest ? `; ${slowest.name} took ${Math.round(slowest.ms)} ms on average` : "";
  return {
    kind: "schedule",
    text: `responses took so long that k6 could not send ${ofAll(missing, due)}${took}`,
  };
}

const countsOf = (operations: Responses, counted: "throttled" | "business-refused") =>
  [requestsIn({ operations }, (outcome) => outcome === counted), requestsIn({ operations })] as const;

const ofAll = (some: number, requests: number) => `${some} of ${plural(requests, "request")}`;
