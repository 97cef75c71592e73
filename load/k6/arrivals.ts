import { randomLcg, randomPoisson } from "d3-random";
import type { Profile, Stage } from "./profiles.ts";

/** k6's engine resolves `Math.floor` at every call. */
const { ceil, floor, max, min, round, sqrt } = Math;

/** A part of a schedule in which the rate changes evenly. */
interface Segment {
  readonly seconds: number;
  /** Iterations per second at its start and at its end. */
  readonly from: number;
  readonly to: number;
}

/** The numbers of a segment in a schedule: when it starts, how many iterations are due before it, and what it is. */
const [STARTS_AT, BEFORE, WIDTH] = [0, 1, 5];

/** k6 takes whole rates, so they are counted in this time. */
const TIME_UNIT_SECONDS = 1000;
/** Lengths of a slot in which random arrivals are counted; a rate of whole arrivals in any of them is a whole one for k6. */
const SLOT_SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];
const MAX_SLOTS = 600;
/** How many different delays the lookups of transfers have; they come in turn. */
const DELAYS = 31;
/** Ends the schedule this part of an iteration after the last one, so that none is lost at its end. */
const TAIL = 0.5;

/** When each iteration of an open profile is due: the same in every run, so that it is known before the start. */
export class ArrivalTimes {
  // One array: k6 keeps a schedule for each virtual user, in which 600 objects would take a megabyte.
  readonly #segments: Float64Array;
  readonly #lookups: Profile["lookups"];
  readonly #total: number;
  /** How many iterations are due. */
  readonly count: number;

  /** `rates` are those of {@link randomRates}, if they are known already. */
  constructor(profile: Profile, rates = randomRates(profile)) {
    const segments = rates ? segmentsAt(rates, slotOf(profile)) : segmentsOf(profile.stages);
    let [startsAt, before] = [0, 0];
    const numbers = segments.flatMap(({ seconds, from, to }) => {
      const segment = [startsAt, before, seconds, from, to];
      startsAt += seconds;
      before += (seconds * (from + to)) / 2;
      return segment;
    });
    this.#segments = Float64Array.from(numbers);
    this.#lookups = profile.lookups;
    this.#total = before;
    this.count = floor(before + 1e-6);
  }

  /** The milliseconds after the start of the schedule at which an iteration is due; the first one has the number 0. */
  dueMs(iteration: number): number {
    const { startsAt, before, seconds, from, to } = this.#lastBelow(BEFORE, iteration + 1);
    const slope = (to - from) / seconds;
    // The root of the integral of the rate.
    const count = iteration + 1 - before;
    const rate = sqrt(max(0, from * from + 2 * slope * count));
    return (startsAt + min(seconds, (2 * count) / (from + rate) || 0)) * 1000;
  }

  /** How many iterations are due in the first `elapsed` seconds; the last one may be due in part. */
  dueBy(elapsed: number): number {
    const { startsAt, before, seconds, from, to } = this.#lastBelow(STARTS_AT, elapsed);
    const part = min(max(0, elapsed - startsAt), seconds);
    return before + part * from + (((to - from) / seconds) * part * part) / 2;
  }

  /**
   * How late an iteration starts, this long after the start of the schedule. k6 does not count an iteration that it drops,
   * so after a drop the next one may be due later than its number says: it is late by `least` milliseconds at least, and
   * without drops by `most`. One of several runners has every `runners`th iteration.
   */
  latenessMs(iteration: number, elapsedMs: number, runners = 1) {
    const most = max(0, elapsedMs - this.dueMs(iteration));
    const due = min(this.count, wholeNumber(this.dueBy(elapsedMs / 1000))) - 1;
    const last = due - ((due - iteration) % runners);
    return { most, least: last > iteration ? max(0, elapsedMs - this.dueMs(last)) : most };
  }

  /** Before which iteration the transfer was created that a lookup asks for. */
  lookBack(iteration: number): number {
    if (!this.#lookups) return iteration;
    const { after, until } = this.#lookups;
    const delay = after + (until - after) * ((iteration % DELAYS) / (DELAYS - 1));
    return wholeNumber(this.dueBy(this.dueMs(iteration) / 1000 - delay));
  }

  /** The schedule as k6's executor `ramping-arrival-rate` takes it. */
  toExecutor() {
    const segments: Segment[] = Array.from({ length: this.#segments.length / WIDTH }, (_, index) =>
      this.#at(index),
    );
    const startRate = segments[0]?.from ?? 0;
    const missing = this.count + TAIL - this.#total;
    if (missing > 0) segments.push({ seconds: missing, from: 1, to: 1 });
    let rate = startRate;
    const stages: { target: number; duration: string }[] = [];
    for (const { seconds, from, to } of segments) {
      if (from !== rate) stages.push({ target: wholeRate(from), duration: "0s" });
      stages.push({ target: wholeRate(to), duration: `${round(seconds * 1e6)}us` });
      rate = to;
    }
    return { startRate: wholeRate(startRate), timeUnit: `${TIME_UNIT_SECONDS}s`, stages };
  }

  /** The last segment of which a number is below a limit; the first one if there is none. */
  #lastBelow(offset: number, limit: number) {
    let low = 0;
    let high = this.#segments.length / WIDTH - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#segments[middle * WIDTH + offset] ?? 0) < limit) low = middle;
      else high = middle - 1;
    }
    return this.#at(low);
  }

  #at(index: number) {
    const [startsAt = 0, before = 0, seconds = 0, from = 0, to = 0] = this.#segments.subarray(index * WIDTH);
    return { startsAt, before, seconds, from, to };
  }
}

const wholeNumber = (count: number) => floor(count + 1e-9);
const wholeRate = (rate: number) => round(rate * TIME_UNIT_SECONDS);

/** The segments of some stages, with rates and lengths that k6 can express. */
function segmentsOf(stages: readonly Stage[] = []): Segment[] {
  let from = stages[0]?.rate ?? 0;
  return stages.flatMap(({ seconds, rate: to }) => {
    const segment = {
      seconds: round(seconds * 1000) / 1000,
      from: wholeRate(from) / TIME_UNIT_SECONDS,
      to: wholeRate(to) / TIME_UNIT_SECONDS,
    };
    from = to;
    return segment.seconds > 0 ? [segment] : [];
  });
}

/** Half an iteration is due at once, so that none is due at the very end of a slot, which could be the next one's start. */
const BEGINNING = { seconds: 0.001, from: 500, to: 500 };

const segmentsAt = (rates: readonly number[], seconds: number): Segment[] => [
  BEGINNING,
  ...rates.map((rate) => ({ seconds, from: rate, to: rate })),
];

/** The rate in each slot of a profile with random arrivals, as a Poisson process has them; `undefined` for any other. */
export function randomRates(profile: Profile): readonly number[] | undefined {
  if (profile.arrivals !== "poisson") return undefined;
  const even = new ArrivalTimes({ ...profile, arrivals: "constant" });
  const slot = slotOf(profile);
  const random = randomPoisson.source(randomLcg(1));
  return Array.from({ length: ceil(lengthOf(profile) / slot) }, (_, index) => {
    const mean = even.dueBy((index + 1) * slot) - even.dueBy(index * slot);
    // Only in slots longer than the time unit is there anything to round.
    return wholeRate(random(mean)() / slot) / TIME_UNIT_SECONDS;
  });
}

/** The length of a slot of a profile with random arrivals, in seconds. */
function slotOf(profile: Profile): number {
  const shortest = lengthOf(profile) / MAX_SLOTS;
  const whole = ceil(shortest / TIME_UNIT_SECONDS) * TIME_UNIT_SECONDS;
  return SLOT_SECONDS.find((seconds) => seconds >= shortest) ?? whole;
}

const lengthOf = ({ stages }: Profile) => segmentsOf(stages).reduce((sum, { seconds }) => sum + seconds, 0);
