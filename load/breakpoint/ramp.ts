import type { Objectives } from "../k6/thresholds.ts";
import type { Answered } from "../results/failures.ts";
import { requestsIn } from "../results/outcome-counts.ts";
import { Histogram } from "../results/recording/histogram.ts";
import type { LoadResult } from "../results/result.ts";
import type { Outcomes, Series } from "../results/summary.ts";
import type { Cause } from "./cause.ts";
import { brokenIn } from "./judge-step.ts";

/** A part of a ramp is judged as soon as it has so many responses; a single failure then says nothing. */
const RESPONSES = 200;
/** No part is shorter than this share of the ramp. */
const SHORTEST = 1 / 20;

/** What a ramp shows: the rate up to which nothing broke, and what broke then. It only says where to begin a search. */
export interface Hint {
  readonly rate: number;
  readonly causes: readonly Cause[];
}

/** Finds the rate at which a ramp broke: where its first part began in which something did. */
export function hintOf({ measured, profile, objectives }: LoadResult): Hint {
  const { rate: top, seconds, stages = [] } = profile;
  const lowest = stages[0]?.rate ?? top;
  const parts = measured ? partsOf(measured.series, seconds * SHORTEST) : [];
  for (const { second, operations } of parts) {
    const causes = brokenIn(operations, objectives as Objectives | undefined);
    if (causes.length > 0) return { rate: lowest + ((top - lowest) * second) / seconds, causes };
  }
  return { rate: top, causes: [] };
}

interface Part {
  /** Where it begins. */
  readonly second: number;
  readonly operations: Answered;
}

/** Cuts a run into parts of enough responses; the last one may have fewer. */
function partsOf({ sliceSeconds, slices }: Series, shortestSeconds: number): Part[] {
  const parts: Part[] = [];
  let open: Series["slices"][number][] = [];
  for (const slice of slices) {
    open.push(slice);
    const second = open[0]?.second ?? 0;
    const isLong = slice.second + sliceSeconds - second >= shortestSeconds;
    if (!isLong || open.reduce((sum, one) => sum + requestsIn(one), 0) < RESPONSES) continue;
    parts.push({ second, operations: summedUp(open) });
    open = [];
  }
  const [rest] = open;
  return rest ? [...parts, { second: rest.second, operations: summedUp(open) }] : parts;
}

function summedUp(slices: Series["slices"]): Answered {
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
