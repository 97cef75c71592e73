import { groupBy } from "../../../reports/grouping.ts";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import { Schedule } from "../../k6/requests.ts";
import { isSent, OUTCOMES, type Outcome } from "../../k6/responses.ts";
import { addOutcomes, countOf } from "../measurements.ts";
import {
  NEEDED_SAMPLES,
  type OperationSummary,
  PERCENTILES,
  type Planned,
  REPORTED_PERCENTILES,
  type Responses,
  type Series,
  type Summary,
  shareOf,
} from "../result.ts";
import { judgeThresholds } from "../thresholds.ts";
import { Histogram } from "./histogram.ts";
import type { Recording } from "./recording.ts";

/** A chart of more points shows nothing more. */
const MAX_SLICES = 180;
/** How much later the clock of a schedule may be than that of a script, which reads whole milliseconds. */
const CLOCK_MS = 1;

/** Sums up what was read; `undefined` if k6 sent nothing. A run that was cut short dropped nothing. */
export function summaryOf(recording: Recording, isCutShort = false): Summary | undefined {
  const { objectives, profile, iterations: due, steps } = recording.run;
  const [schedule, late] = [new Schedule(steps), latenessIn(recording)];
  const sliceSeconds = Math.max(1, Math.ceil(profile.seconds / MAX_SLICES));
  const slices: { readonly second: number; readonly operations: Record<string, Tally> }[] = [];
  /** How many valid requests of an operation the API has rejected since it last accepted one. */
  const rejected: Record<string, number> = {};
  const lag = new Histogram();
  let lastMs = 0;
  for (const [iteration, code] of recording.outcomes.entries()) {
    const outcome = OUTCOMES[code - 1];
    if (!outcome) continue;
    const { operation, creationsAgo } = schedule.requestAt(iteration).step;
    const times = [recording.startedMs[iteration], recording.tookMs[iteration], late[iteration]];
    const [startedMs = 0, tookMs = 0, lateMs = 0] = times;
    // A clock that is set while k6 runs moves the start.
    const index = Math.min(MAX_SLICES, Math.max(0, Math.floor(startedMs / 1000 / sliceSeconds)));
    while (slices.length <= index) slices.push({ second: slices.length * sliceSeconds, operations: {} });
    const { operations = {} } = slices[index] ?? {};
    operations[operation] ??= new Tally();
    operations[operation].add(outcome, lateMs + tookMs);
    // A repeat may be accepted where nothing new is.
    if (outcome === "accepted" && creationsAgo === undefined) rejected[operation] = 0;
    if (outcome === "valid-refused") rejected[operation] = (rejected[operation] ?? 0) + 1;
    lag.add(lateMs);
    lastMs = Math.max(lastMs, startedMs + tookMs);
  }
  if (lag.count === 0) return undefined;
  const percentile = PERCENTILES.findLast((one) => lag.count >= NEEDED_SAMPLES[one]);
  const counted = {
    // The last responses may come long after the last request was due.
    durationMs: Math.min(lastMs, profile.seconds * 1000),
    iterations: lag.count,
    // An iteration that was due and did not start.
    dropped: isCutShort ? 0 : due - lag.count,
    scheduleLagMs: percentile ? lag.percentile(shareOf(percentile)) : 0,
    operations: operationsIn(slices, rejected, schedule.requestsIn(due)),
  };
  const refusals = schedule.requestsIn(due, ({ refusal }) => refusal !== undefined);
  const thresholds = judgeThresholds(counted, objectives, refusals);
  return { ...counted, thresholds, series: { sliceSeconds, slices } };
}

/**
 * How many milliseconds after it was due k6 sent each iteration. k6 does not number the iterations that it drops, so after
 * `d` drops, iteration `n` is due when number `n + d` would be without them. The later iterations of its runner show how many
 * it dropped before: the most with which none of them started before it was due.
 */
function latenessIn({ run, outcomes, startedMs: starts }: Recording): Float64Array {
  const { iterations, runners = 1 } = run;
  const arrivals = new ArrivalTimes(run.profile);
  const late = new Float64Array(iterations);
  const drops: number[] = [];
  for (let iteration = iterations - 1; iteration >= 0; iteration -= 1) {
    if (outcomes[iteration] === 0) continue;
    const [runner, startedMs = 0] = [iteration % runners, starts[iteration]];
    const following = iterations - 1 - iteration;
    let dropped = drops[runner] ?? following - (following % runners);
    while (dropped > 0 && arrivals.dueMs(iteration + dropped) > startedMs + CLOCK_MS) dropped -= runners;
    drops[runner] = dropped;
    late[iteration] = Math.max(0, startedMs - arrivals.dueMs(iteration + dropped));
  }
  return late;
}

function operationsIn(slices: Series["slices"], rejected: Planned, planned: Planned): Summary["operations"] {
  const found = addSlices(slices);
  return Object.fromEntries(
    Object.entries(planned).map(([name, planned]) => {
      const { outcomes, histogram } = found[name] ?? new Tally();
      const requests = countOf(outcomes, isSent);
      const [rejectedToEnd = 0, latencyMs] = [rejected[name], latenciesIn(histogram)];
      return [name, { planned, requests, outcomes, rejectedToEnd, latencyMs, histogram }];
    }),
  );
}

/** What became of the requests of an operation in a slice of the run. */
class Tally {
  readonly histogram = new Histogram();
  readonly outcomes: Partial<Record<Outcome, number>> = {};

  add(outcome: Outcome, latencyMs: number): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    // Without a connection, nothing shows how fast the operation is.
    if (isSent(outcome) && outcome !== "connection-error") this.histogram.add(latencyMs);
  }
}

/** Adds up what came back in some slices of a run. */
export function addSlices(slices: Series["slices"]): Responses {
  const all = groupBy(
    slices.flatMap(({ operations }) => Object.entries(operations)),
    ([name]) => name,
  );
  return Object.fromEntries([...all].map(([name, found]) => [name, addUp(found.map(([, one]) => one))]));
}

/** Adds up what came back. */
export const addUp = (all: readonly Responses[string][]): Responses[string] => ({
  outcomes: addOutcomes(all),
  histogram: all.reduce((sum, one) => sum.addAll(one.histogram), new Histogram()),
});

function latenciesIn(histogram: Histogram): OperationSummary["latencyMs"] {
  const { count, min, max, sum } = histogram;
  if (count === 0) return {};
  const percentiles = REPORTED_PERCENTILES.filter((one) => count >= NEEDED_SAMPLES[one]);
  const values = percentiles.map((one) => [one, histogram.percentile(shareOf(one))]);
  return { min, avg: sum / count, max, ...Object.fromEntries(values) };
}
