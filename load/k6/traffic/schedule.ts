import type { Step } from "./workloads.ts";

export interface PlannedRequest<S extends Step> {
  readonly step: S;
  /** The iteration whose reference the request has: its own or, for a repeat or a lookup, an earlier one. */
  readonly origin: number;
}

/** Whether the requests of a step create the transfer that later steps repeat or look up. */
export const createsTransfer = ({ operation, creationsAgo }: Step) =>
  operation === "createTransfer" && creationsAgo === undefined;

/** Knows the request of every iteration of a workload, so that a run is known before it starts. */
export class Schedule<S extends Step = Step> {
  readonly #cycle: readonly [S, ...S[]];
  /** The places of the cycle that create transfers. */
  readonly #creations: readonly number[];
  /** How many of them precede each place. */
  readonly #created: readonly number[];
  readonly #lookBack: (iteration: number) => number;

  /** `lookBack` returns the iteration before which the transfer of a lookup was created; without it, that is the lookup. */
  constructor(steps: readonly [S, ...S[]], lookBack = (iteration: number) => iteration) {
    this.#cycle = interleave(steps);
    this.#creations = this.#cycle.flatMap((step, place) => (createsTransfer(step) ? [place] : []));
    this.#created = this.#cycle.map((_, place) => this.#creations.filter((one) => one < place).length);
    this.#lookBack = lookBack;
  }

  requestAt(iteration: number): PlannedRequest<S> {
    const step = this.#stepAt(iteration);
    const { creationsAgo: ago, operation } = step;
    if (ago === undefined) return { step, origin: iteration };
    const from = operation === "listTransfers" ? this.#lookBack(iteration) : iteration;
    // The first one of the run, or a reference of its own, if there are fewer.
    return { step, origin: Math.min(iteration, this.#creation(this.#creationsBefore(from) - ago)) };
  }

  /** Counts the requests of each operation of the workload in the first `iterations` iterations, or some of them. */
  requestsIn(iterations: number, counts: (step: S) => boolean = () => true) {
    const { length } = this.#cycle;
    const requests: Partial<Record<Step["operation"], number>> = {};
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

  #creationsBefore(iteration: number): number {
    const { length } = this.#cycle;
    const whole = Math.floor(iteration / length) * this.#creations.length;
    return whole + (this.#created[iteration % length] ?? 0);
  }

  /** The iteration of a creation; the first one has the number 0. */
  #creation(number: number): number {
    const { length } = this.#creations;
    if (length === 0) return Infinity;
    const count = Math.max(0, number);
    return Math.floor(count / length) * this.#cycle.length + (this.#creations[count % length] ?? 0);
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
