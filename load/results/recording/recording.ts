import { ArrivalTimes } from "../../k6/arrivals.ts";
import { Schedule, type Step } from "../../k6/requests.ts";
import { isSent, type Outcome } from "../../k6/responses.ts";
import { addOutcomes, countOf } from "../measurements.ts";
import {
  type LoadRun,
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
import type { Line } from "./lines.ts";

/** A chart of more points shows nothing more. */
const MAX_SLICES = 180;
/** Number of places of a schedule at which its pace is measured. */
const PACES = 1000;

type Response = Extract<Line, { kind: "response" }>;

type Recorded = Pick<LoadRun, "iterations" | "profile" | "objectives" | "steps">;

/** What became of the requests of an operation in a slice of the run. */
class Tally {
  readonly histogram = new Histogram();
  readonly outcomes: Partial<Record<Outcome, number>> = {};

  add(outcome: Outcome, count = 1): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + count;
  }
}

/** Folds k6's log into histograms while it is written; its size does not depend on the length or the rate of the run. */
export class Recording {
  readonly #run: Recorded;
  readonly #arrivals: ArrivalTimes;
  readonly #planned: Planned;
  readonly #sliceSeconds: number;
  readonly #slices = new Map<number, Map<string, Tally>>();
  readonly #lag = new Histogram();
  readonly #schedule: Schedule;
  /** How many valid requests of an operation the API has rejected since it last accepted one. */
  readonly #rejectedSince = new Map<string, number>();
  #iterations = 0;
  #lastMs = 0;

  constructor(run: Recorded) {
    this.#run = run;
    this.#arrivals = new ArrivalTimes(run.profile);
    this.#schedule = new Schedule(run.steps);
    this.#planned = this.#countPlanned();
    this.#sliceSeconds = Math.max(1, Math.ceil(run.profile.seconds / MAX_SLICES));
  }

  readonly add = (line: Line | undefined): void => {
    if (line?.kind !== "response" || line.iteration >= this.#run.iterations) return;
    this.#addResponse(line);
  };

  /** Sums up what was read; `undefined` if k6 sent nothing. A run that was cut short dropped nothing. */
  summary(isCutShort = false): Summary | undefined {
    const { objectives, profile, iterations: due } = this.#run;
    const iterations = this.#iterations;
    if (iterations === 0) return undefined;
    const series = this.#series();
    // An iteration that was due and did not start.
    const dropped = isCutShort ? 0 : Math.max(0, due - iterations);
    const counted = {
      // The last responses may come long after the last request was due.
      durationMs: Math.min(this.#lastMs, profile.seconds * 1000),
      iterations,
      dropped,
      scheduleLagMs: this.#lagBeyond(dropped),
      operations: this.#operations(series),
    };
    const refusals = this.#countPlanned(({ refusal }) => refusal !== undefined);
    const thresholds = judgeThresholds(counted, objectives, refusals);
    return { ...counted, thresholds, series };
  }

  /** No iteration waits for another, so what starts late is late because of k6: that is the lag, and no latency. */
  #addResponse({ operation, outcome, iteration, startedMs, tookMs }: Response) {
    this.#iterations += 1;
    // A clock that is set while k6 runs moves the start.
    const index = Math.min(MAX_SLICES, Math.max(0, Math.floor(startedMs / 1000 / this.#sliceSeconds)));
    const slice = this.#slices.get(index) ?? new Map<string, Tally>();
    const tally = slice.get(operation) ?? new Tally();
    this.#slices.set(index, slice.set(operation, tally));
    tally.add(outcome);
    this.#countRejections(operation, outcome, iteration);
    // Without a connection, nothing shows how fast the operation is.
    if (isSent(outcome) && outcome !== "connection-error") tally.histogram.add(tookMs);
    this.#lag.add(Math.max(0, startedMs - this.#arrivals.dueMs(iteration)));
    this.#lastMs = Math.max(this.#lastMs, startedMs + tookMs);
  }

  /** Counts the rejections of valid requests since the last acceptance, without repeats: they may be rejected for their reference. */
  #countRejections(operation: string, outcome: Outcome, iteration: number) {
    const isRepeat = this.#schedule.requestAt(iteration).step.creationsAgo !== undefined;
    if (outcome === "accepted" && !isRepeat) this.#rejectedSince.delete(operation);
    if (outcome === "valid-refused")
      this.#rejectedSince.set(operation, (this.#rejectedSince.get(operation) ?? 0) + 1);
  }

  /** A high percentile of the lag, without the part that drops explain: k6 does not number what it drops. */
  #lagBeyond(dropped: number): number {
    const arrivals = this.#arrivals;
    const last = arrivals.count - 1 - dropped;
    let explained = 0;
    for (let index = 0; dropped > 0 && index <= last; index += Math.ceil(arrivals.count / PACES))
      explained = Math.max(explained, arrivals.dueMs(index + dropped) - arrivals.dueMs(index));
    const percentile = PERCENTILES.findLast((one) => this.#lag.count >= NEEDED_SAMPLES[one]);
    return percentile ? Math.max(0, this.#lag.percentile(shareOf(percentile)) - explained) : 0;
  }

  /** How many requests of each operation the run sends, or those of some steps alone. */
  #countPlanned(counts?: (step: Step) => boolean): Planned {
    return this.#schedule.requestsIn(this.#run.iterations, counts);
  }

  #series(): Series {
    const slices = [...this.#slices].toSorted(([a], [b]) => a - b);
    return {
      sliceSeconds: this.#sliceSeconds,
      slices: slices.map(([index, operations]) => ({
        second: index * this.#sliceSeconds,
        operations: Object.fromEntries(operations),
      })),
    };
  }

  #operations({ slices }: Series): Summary["operations"] {
    const found = addSlices(slices);
    const names = new Set([...Object.keys(this.#planned), ...Object.keys(found)]);
    return Object.fromEntries(
      [...names].map((name) => {
        const { outcomes, histogram } = found[name] ?? new Tally();
        const planned = this.#planned[name] ?? 0;
        const requests = countOf(outcomes, isSent);
        const rejectedToEnd = this.#rejectedSince.get(name) ?? 0;
        const latencyMs = latenciesIn(histogram);
        return [name, { planned, requests, outcomes, rejectedToEnd, latencyMs, histogram }];
      }),
    );
  }
}

/** Adds up what came back in some slices of a run. */
export function addSlices(slices: Series["slices"]): Responses {
  const names = new Set(slices.flatMap(({ operations }) => Object.keys(operations)));
  return Object.fromEntries(
    [...names].map((name) => {
      const all = slices.flatMap(({ operations }) => operations[name] ?? []);
      const histogram = all.reduce((sum, one) => sum.addAll(one.histogram), new Histogram());
      return [name, { outcomes: addOutcomes(all), histogram }];
    }),
  );
}

function latenciesIn(histogram: Histogram): OperationSummary["latencyMs"] {
  const { count, min, max, sum } = histogram;
  if (count === 0) return {};
  const percentiles = REPORTED_PERCENTILES.filter((one) => count >= NEEDED_SAMPLES[one]);
  const values = percentiles.map((one) => [one, histogram.percentile(shareOf(one))]);
  return { min, avg: sum / count, max, ...Object.fromEntries(values) };
}
