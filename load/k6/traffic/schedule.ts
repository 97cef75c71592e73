import type { OperationName } from "../generated/requests.ts";
import { createsTransfer } from "./creations.ts";
import type { Step } from "./workloads.ts";

export interface PlannedRequest<S extends Step> {
  readonly step: S;
  /** The iteration whose reference the request has: its own or, for a repeat or a lookup, an earlier one. */
  readonly origin: number;
}

/** Knows the request of every iteration of a workload, so that a run is known before it starts. */
export class Schedule<S extends Step = Step> {
  readonly #cycle: readonly [S, ...S[]];

  constructor(steps: readonly [S, ...S[]]) {
    this.#cycle = interleave(steps);
  }

  requestAt(iteration: number): PlannedRequest<S> {
    const step = this.#stepAt(iteration);
    const { creationsAgo: ago } = step;
    return { step, origin: ago === undefined ? iteration : this.#creationBefore(iteration, ago) };
  }

  /** Counts the requests of each operation of the workload in the first `iterations` iterations, or some of them. */
  requestsIn(iterations: number, counts: (step: S) => boolean = () => true) {
    const { length } = this.#cycle;
    const requests: Partial<Record<OperationName, number>> = {};
    this.#cycle.forEach((step, slot) => {
      const times = counts(step) ? Math.ceil(Math.max(0, iterations - slot) / length) : 0;
      requests[step.operation] = (requests[step.operation] ?? 0) + times;
    });
    return requests;
  }

  /** The iterations that it takes to send every operation of the workload at least once. */
  get minIterations(): number {
    const operations = this.#cycle.map(({ operation }) => operation);
    return Math.max(...operations.map((operation) => operations.indexOf(operation))) + 1;
  }

  #stepAt(iteration: number): S {
    return this.#cycle[iteration % this.#cycle.length] ?? this.#cycle[0];
  }

  /** The creation `count` creations before `iteration`; the first one of the run, or itself, if there are fewer. */
  #creationBefore(iteration: number, count: number): number {
    let found = iteration;
    let seen = 0;
    for (let earlier = iteration - 1; earlier >= 0 && seen < count; earlier -= 1) {
      if (!createsTransfer(this.#stepAt(earlier))) continue;
      seen += 1;
      found = earlier;
    }
    return found;
  }
}

/** One cycle: each step as often as its weight says, spread as evenly as possible, the heaviest first. */
function interleave<S extends Step>(steps: readonly [S, ...S[]]): [S, ...S[]] {
  const divisor = steps.map(({ weight }) => weight).reduce(greatestCommonDivisor);
  const due = steps.map((step) => ({ step, share: step.weight / divisor, credit: 0 }));
  const length = due.reduce((sum, { share }) => sum + share, 0);
  const next = () => {
    for (const entry of due) entry.credit += entry.share;
    const entry = due.reduce((best, other) => (other.credit > best.credit ? other : best));
    entry.credit -= length;
    return entry.step;
  };
  return [next(), ...Array.from({ length: length - 1 }, next)];
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);
