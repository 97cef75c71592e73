import { groupBy } from "../../../reports/grouping.ts";
import { ArrivalTimes } from "../../k6/arrivals.ts";
import { Schedule } from "../../k6/requests.ts";
import { isSent, OUTCOMES, type Outcome } from "../../k6/responses.ts";
import { addOutcomes, countOf } from "../measurements.ts";
import {
  type LoadRun,
  NEEDED_SAMPLES,
  type OperationSummary,
  PERCENTILES,
  REPORTED_PERCENTILES,
  type Responses,
  type Series,
  type Summary,
  shareOf,
} from "../result.ts";
import { judgeThresholds } from "../thresholds.ts";
import { Histogram } from "./histogram.ts";
import type { Line } from "./lines.ts";

/** A chart of more points shows nothing more. */
const MAX_SLICES = 180;
/** How much later the clock of a schedule may be than that of a script, which reads whole milliseconds. */
const CLOCK_MS = 1;

type Recorded = Pick<LoadRun, "iterations" | "profile" | "objectives" | "steps" | "runners">;

/** Keeps the times and the outcome of each iteration while k6's log is written, in 17 bytes for each that the run may have. */
export class Recording {
  readonly #run: Recorded;
  readonly #arrivals: ArrivalTimes;
  readonly #schedule: Schedule;
  /** The place of each outcome in OUTCOMES, from 1 on; 0 without a response. */
  readonly #outcomes: Uint8Array;
  readonly #startedMs: Float64Array;
  readonly #tookMs: Float64Array;

  constructor(run: Recorded) {
    this.#run = run;
    this.#arrivals = new ArrivalTimes(run.profile);
    this.#schedule = new Schedule(run.steps);
    this.#outcomes = new Uint8Array(run.iterations);
    this.#startedMs = new Float64Array(run.iterations);
    this.#tookMs = new Float64Array(run.iterations);
  }

  readonly add = (line: Line | undefined): void => {
    if (line?.kind !== "response") return;
    const { iteration, outcome, startedMs, tookMs } = line;
    this.#outcomes[iteration] = OUTCOMES.indexOf(outcome) + 1;
    this.#startedMs[iteration] = startedMs;
    this.#tookMs[iteration] = tookMs;
  };

  /** Sums up what was read; `undefined` if k6 sent nothing. A run that was cut short dropped nothing. */
  summary(isCutShort = false): Summary | undefined {
    const { objectives, profile, iterations: due } = this.#run;
    const sliceSeconds = Math.max(1, Math.ceil(profile.seconds / MAX_SLICES));
    const slices: { readonly second: number; readonly operations: Record<string, Tally> }[] = [];
    /** How many valid requests of an operation the API has rejected since it last accepted one. */
    const rejected: Record<string, number> = {};
    const lag = new Histogram();
    let lastMs = 0;
    for (const { step, outcome, startedMs, lateMs, tookMs } of this.#responses()) {
      const { operation, creationsAgo } = step;
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
      operations: this.#operations(slices, rejected),
    };
    const refusals = this.#schedule.requestsIn(due, ({ refusal }) => refusal !== undefined);
    const thresholds = judgeThresholds(counted, objectives, refusals);
    return { ...counted, thresholds, series: { sliceSeconds, slices } };
  }

  *#responses() {
    const late = this.#lateness();
    for (const [iteration, code] of this.#outcomes.entries()) {
      const outcome = OUTCOMES[code - 1];
      const { step } = this.#schedule.requestAt(iteration);
      const [startedMs = 0, tookMs = 0] = [this.#startedMs[iteration], this.#tookMs[iteration]];
      if (outcome) yield { step, outcome, startedMs, lateMs: late[iteration] ?? 0, tookMs };
    }
  }

  /**
   * How many milliseconds after it was due k6 sent each iteration. k6 does not number what it drops: after some drops, an
   * iteration is due when the one with a number higher by them would be. They are no more than let it, and all later ones
   * of its runner, start on time or late.
   */
  #lateness(): Float64Array {
    const { iterations, runners = 1 } = this.#run;
    const late = new Float64Array(iterations);
    const drops: number[] = [];
    for (let iteration = iterations - 1; iteration >= 0; iteration -= 1) {
      if (this.#outcomes[iteration] === 0) continue;
      const [runner, startedMs = 0] = [iteration % runners, this.#startedMs[iteration]];
      const following = iterations - 1 - iteration;
      let dropped = drops[runner] ?? following - (following % runners);
      while (dropped > 0 && this.#arrivals.dueMs(iteration + dropped) > startedMs + CLOCK_MS)
        dropped -= runners;
      drops[runner] = dropped;
      late[iteration] = Math.max(0, startedMs - this.#arrivals.dueMs(iteration + dropped));
    }
    return late;
  }

  #operations(slices: Series["slices"], rejected: Readonly<Record<string, number>>): Summary["operations"] {
    const found = addSlices(slices);
    const planned = Object.entries(this.#schedule.requestsIn(this.#run.iterations));
    return Object.fromEntries(
      planned.map(([name, planned]) => {
        const { outcomes, histogram } = found[name] ?? new Tally();
        const requests = countOf(outcomes, isSent);
        const [rejectedToEnd = 0, latencyMs] = [rejected[name], latenciesIn(histogram)];
        return [name, { planned, requests, outcomes, rejectedToEnd, latencyMs, histogram }];
      }),
    );
  }
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
