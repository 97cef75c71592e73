import { plural } from "../../../reports/wording.ts";
import type { Outcome } from "../../k6/outcome.ts";
import { ArrivalTimes } from "../../k6/traffic/arrivals.ts";
import { Schedule } from "../../k6/traffic/schedule.ts";
import type { Step } from "../../k6/traffic/workloads.ts";
import type { LoadRun } from "../result.ts";
import {
  NEEDED_SAMPLES,
  type OperationSummary,
  type Planned,
  REPORTED_PERCENTILES,
  type Series,
  type Summary,
  shareOf,
} from "../summary.ts";
import { judgeThresholds } from "../thresholds.ts";
import type { Line } from "./answers.ts";
import { Histogram } from "./histogram.ts";
import { IterationSet } from "./iteration-set.ts";

/** A chart of more points shows nothing more. */
const MAX_SLICES = 180;
/** At how many places of a schedule its pace is looked at. */
const LOOKS = 1000;

type Answer = Extract<Line, { kind: "answer" }>;

/** What a recording has to know about its run. */
type Recorded = Pick<LoadRun, "iterations" | "profile" | "objectives" | "steps" | "runners">;

/** When a request was due, how late the generator was, and how long it took from its intended start; in milliseconds. */
interface Timing {
  readonly dueMs: number;
  readonly lagMs: number;
  readonly latencyMs: number;
}

/** Counts of the answers of an operation, in the whole run or in a slice of it. */
class Tally {
  readonly histogram = new Histogram();
  readonly #outcomes = new Map<Outcome, number>();
  requests = 0;

  add({ outcome }: Answer, { latencyMs }: Timing) {
    this.requests += 1;
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
    // A connection that was never made does not show how fast the operation is.
    if (outcome !== "connection-error") this.histogram.add(latencyMs);
  }

  get outcomes(): OperationSummary["outcomes"] {
    return Object.fromEntries(this.#outcomes);
  }
}

/**
 * Folds k6's log into histograms for each operation and each slice of time while it is written. It keeps no request:
 * its size depends on the slices and operations, not on the length or the rate of the run.
 */
export class Recording {
  readonly #run: Recorded;
  /** A closed profile has no stages: its iterations are due when they start. */
  readonly #arrivals: ArrivalTimes | undefined;
  readonly #planned: Planned;
  readonly #sliceSeconds: number;
  readonly #operations = new Map<string, Tally>();
  readonly #slices = new Map<number, Map<string, Tally>>();
  readonly #lag = new Histogram();
  readonly #iterations = new IterationSet();
  #exceptions = 0;
  #foreign = 0;
  #lastMs = 0;
  #hasEnd = false;

  /** `planned` says how many requests of each operation the run sends. */
  constructor(run: Recorded, planned: Planned) {
    this.#run = run;
    this.#arrivals = run.profile.stages && new ArrivalTimes(run.profile);
    this.#planned = planned;
    this.#sliceSeconds = Math.max(1, Math.ceil(run.profile.seconds / MAX_SLICES));
  }

  readonly add = (line: Line | undefined): void => {
    if (line?.kind === "end") this.#hasEnd = true;
    if (line?.kind !== "answer" && line?.kind !== "exception") return;
    if (line.iteration >= this.#run.iterations) this.#foreign += 1;
    else {
      this.#iterations.add(line.iteration);
      if (line.kind === "answer") this.#addAnswer(line);
      else this.#exceptions += 1;
    }
  };

  /** Why the log of a run that k6 ended by itself cannot be relied on, if so. */
  damage(): string[] {
    return [
      this.#hasEnd
        ? []
        : "answers.log has no last line: k6 could not write it, for example because the disk is full",
      this.#foreign === 0
        ? []
        : `answers.log has ${plural(this.#foreign, "line")} about iterations that the run does not have`,
    ].flat();
  }

  /** How many iterations are without a response, if any: k6 numbers its iterations without a gap. */
  gaps(): string[] {
    const { size, length } = this.#iterations;
    const missing = `${length - size} of ${length} iterations`;
    return size < length
      ? [`answers.log lacks the responses of ${missing}: k6 ended before they came, or lines are lost`]
      : [];
  }

  /** Sums up what was read; `undefined` if k6 sent nothing. A run that was cut short dropped nothing. */
  summary(isCutShort = false): Summary | undefined {
    const { objectives, profile } = this.#run;
    const iterations = this.#iterations.size;
    if (iterations === 0) return undefined;
    const names = new Set([...Object.keys(this.#planned), ...this.#operations.keys()]);
    const operations = Object.fromEntries([...names].map((name) => [name, this.#operationSummary(name)]));
    const dropped = isCutShort ? 0 : this.#dropped(iterations);
    const counted = {
      // In the open model, the last responses may come long after the last request was due.
      durationMs: profile.model === "open" ? Math.min(this.#lastMs, profile.seconds * 1000) : this.#lastMs,
      iterations,
      dropped,
      exceptions: this.#exceptions,
      ...(profile.model === "open" && { scheduleLagP99Ms: this.#lagBeyond(dropped) }),
      operations,
    };
    const refusals = this.#countPlanned(({ refusal }) => refusal !== undefined);
    const undecided = this.#countPlanned(({ names }) => names !== undefined);
    const thresholds = judgeThresholds(counted, objectives, refusals, undecided);
    return { ...counted, thresholds, series: this.#series() };
  }

  #addAnswer(answer: Answer) {
    const { operation } = answer;
    const timing = this.#timingOf(answer);
    const { dueMs, lagMs, latencyMs } = timing;
    // A clock that is set while k6 runs moves what is due.
    const slice = Math.min(MAX_SLICES, Math.max(0, Math.floor(dueMs / 1000 / this.#sliceSeconds)));
    tallyIn(this.#operations, operation).add(answer, timing);
    const inSlice = this.#slices.get(slice) ?? new Map<string, Tally>();
    this.#slices.set(slice, inSlice);
    tallyIn(inSlice, operation).add(answer, timing);
    this.#lag.add(lagMs);
    this.#lastMs = Math.max(this.#lastMs, dueMs + latencyMs);
  }

  /** The generator causes what is late for certain, since no iteration waits for another; a client sends again at once. */
  #timingOf({ iteration, isRepeat, startedMs, tookMs }: Answer): Timing {
    const late = isRepeat ? undefined : this.#arrivals?.latenessMs(iteration, startedMs, this.#run.runners);
    const { least, most } = late ?? { least: 0, most: 0 };
    return { dueMs: startedMs - least, lagMs: most, latencyMs: least + tookMs };
  }

  /** Iterations that were due and did not start. */
  #dropped(started: number): number {
    const { profile, iterations } = this.#run;
    return profile.model === "open" ? Math.max(0, iterations - started) : 0;
  }

  /** The 99th percentile of the lag, without the part that drops explain: k6 does not number what it drops. */
  #lagBeyond(dropped: number): number {
    const arrivals = this.#arrivals;
    const last = (arrivals?.count ?? 0) - 1 - dropped;
    let explained = 0;
    for (let index = 0; arrivals && dropped > 0 && index <= last; index += Math.ceil(arrivals.count / LOOKS))
      explained = Math.max(explained, arrivals.dueMs(index + dropped) - arrivals.dueMs(index));
    return Math.max(0, this.#lag.percentile(0.99) - explained);
  }

  /** How many of the planned requests of each operation are of such a step. */
  #countPlanned(counts: (step: Step) => boolean): Planned {
    const { steps, iterations } = this.#run;
    return steps ? new Schedule(steps).requestsIn(iterations, counts) : {};
  }

  #operationSummary(name: string): OperationSummary {
    const { requests, outcomes, histogram } = this.#operations.get(name) ?? new Tally();
    const percentiles = REPORTED_PERCENTILES.filter((one) => histogram.count >= NEEDED_SAMPLES[one]);
    return {
      planned: new Map(Object.entries(this.#planned)).get(name) ?? 0,
      requests,
      outcomes,
      latencyMs: Object.fromEntries(
        histogram.count === 0
          ? []
          : [
              ["min", histogram.min],
              ["avg", histogram.sum / histogram.count],
              ["max", histogram.max],
              ...percentiles.map((one) => [one, histogram.percentile(shareOf(one))]),
            ],
      ),
      histogram: histogram.toJSON(),
    };
  }

  #series(): Series {
    const slices = [...this.#slices].toSorted(([a], [b]) => a - b);
    return {
      sliceSeconds: this.#sliceSeconds,
      slices: slices.map(([index, operations]) => ({
        second: index * this.#sliceSeconds,
        operations: Object.fromEntries(
          [...operations].map(([name, { outcomes, histogram }]) => [
            name,
            { outcomes, histogram: histogram.toJSON() },
          ]),
        ),
      })),
    };
  }
}

function tallyIn(tallies: Map<string, Tally>, operation: string): Tally {
  const tally = tallies.get(operation) ?? new Tally();
  tallies.set(operation, tally);
  return tally;
}
