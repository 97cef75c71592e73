import type { Profile, Stage } from "./profiles.ts";

/** k6's engine looks up a function of Math anew whenever it is called there. */
const { floor, max, min, sqrt } = Math;

/** A part of a schedule in which the rate changes evenly. */
interface Segment {
  readonly seconds: number;
  /** Iterations per second at its start and at its end. */
  readonly from: number;
  readonly to: number;
}

/** A segment and what precedes it. */
interface Placed extends Segment {
  readonly startsAt: number;
  /** How many iterations are due before it; the last one may be due in part. */
  readonly before: number;
}

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
  readonly #segments: Segments;
  readonly #lookups: Profile["lookups"];
  /** How many iterations are due. */
  readonly count: number;

  /** `rates` are those of {@link randomRates}, if they are known already. */
  constructor(profile: Profile, rates = randomRates(profile)) {
    this.#lookups = profile.lookups;
    this.#segments = rates ? atRates(rates, slotOf(profile)) : evenly(profile);
    const last = this.#segments.last;
    this.count = last ? floor(last.before + areaOf(last) + 1e-6) : 0;
  }

  /** The milliseconds after the start of the schedule at which an iteration is due; the first one has the number 0. */
  dueMs(iteration: number): number {
    const due = iteration + 1;
    const segment = this.#lastSegment("before", due);
    return segment ? (segment.startsAt + secondsUntil(segment, due - segment.before)) * 1000 : 0;
  }

  /**
   * How late an iteration starts, this long after the start of the schedule. k6 does not count an iteration that it drops,
   * so after a drop the next one may be due later than its number says: it is late by `least` milliseconds at least, and
   * without drops by `most`. One of several runners has every `runners`th iteration.
   */
  latenessMs(
    iteration: number,
    elapsedMs: number,
    runners = 1,
  ): { readonly least: number; readonly most: number } {
    const most = max(0, elapsedMs - this.dueMs(iteration));
    const due = min(this.count, this.#dueBy(elapsedMs / 1000)) - 1;
    const last = due - ((due - iteration) % runners);
    return { most, least: last > iteration ? max(0, elapsedMs - this.dueMs(last)) : most };
  }

  /** Before which iteration the transfer was created that a lookup asks for. */
  lookBack(iteration: number): number {
    if (!this.#lookups) return iteration;
    const { after, until } = this.#lookups;
    const delay = after + (until - after) * ((iteration % DELAYS) / (DELAYS - 1));
    return this.#dueBy(this.dueMs(iteration) / 1000 - delay);
  }

  /** How many iterations are due in the first `seconds`. */
  #dueBy(seconds: number): number {
    const segment = this.#lastSegment("startsAt", seconds);
    return segment ? floor(segment.before + dueWithin(segment, seconds - segment.startsAt) + 1e-9) : 0;
  }

  /** The last segment that begins before a point, in iterations or in seconds; the first one, if none does. */
  #lastSegment(measure: "before" | "startsAt", point: number): Placed | undefined {
    const begins = this.#segments[measure];
    let low = 0;
    let high = begins.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((begins[middle] ?? 0) < point) low = middle;
      else high = middle - 1;
    }
    return this.#segments.at(low);
  }

  /** The schedule as k6's executor `ramping-arrival-rate` takes it. */
  toExecutor() {
    const { first, last } = this.#segments;
    const missing = last ? this.count + TAIL - (last.before + areaOf(last)) : 0;
    const tail = missing > 0 ? [{ seconds: missing, from: 1, to: 1 }] : [];
    let rate = first?.from ?? 0;
    const stages: { target: number; duration: string }[] = [];
    for (const { seconds, from, to } of [...this.#segments.all(), ...tail]) {
      if (from !== rate) stages.push({ target: wholeRate(from), duration: "0s" });
      stages.push({ target: wholeRate(to), duration: `${Math.round(seconds * 1e6)}us` });
      rate = to;
    }
    return { startRate: wholeRate(first?.from ?? 0), timeUnit: `${TIME_UNIT_SECONDS}s`, stages };
  }
}

const wholeRate = (rate: number) => Math.round(rate * TIME_UNIT_SECONDS);
const areaOf = ({ seconds, from, to }: Segment) => (seconds * (from + to)) / 2;

/** With rates and lengths that k6 can express. */
function segmentsOf(stages: readonly Stage[]): Segment[] {
  let from = stages[0]?.rate ?? 0;
  return stages.flatMap(({ seconds, rate: to }) => {
    const segment = {
      seconds: Math.round(seconds * 1000) / 1000,
      from: wholeRate(from) / TIME_UNIT_SECONDS,
      to: wholeRate(to) / TIME_UNIT_SECONDS,
    };
    from = to;
    return segment.seconds > 0 ? [segment] : [];
  });
}

/** Segments in columns: k6 keeps a schedule for each virtual user, in which 600 objects would take a megabyte. */
class Segments {
  readonly startsAt: Float64Array;
  readonly before: Float64Array;
  readonly #seconds: Float64Array;
  readonly #from: Float64Array;
  readonly #to: Float64Array;

  constructor(length: number, segmentAt: (index: number) => Segment) {
    const column = () => new Float64Array(length);
    [this.startsAt, this.before] = [column(), column()];
    [this.#seconds, this.#from, this.#to] = [column(), column(), column()];
    let [startsAt, before] = [0, 0];
    for (let index = 0; index < length; index += 1) {
      const segment = segmentAt(index);
      this.startsAt[index] = startsAt;
      this.before[index] = before;
      this.#seconds[index] = segment.seconds;
      this.#from[index] = segment.from;
      this.#to[index] = segment.to;
      startsAt += segment.seconds;
      before += areaOf(segment);
    }
  }

  at(index: number): Placed | undefined {
    const seconds = this.#seconds[index];
    if (seconds === undefined) return undefined;
    const [startsAt = 0, before = 0] = [this.startsAt[index], this.before[index]];
    return { startsAt, before, seconds, from: this.#from[index] ?? 0, to: this.#to[index] ?? 0 };
  }

  get first(): Placed | undefined {
    return this.at(0);
  }

  get last(): Placed | undefined {
    return this.at(this.before.length - 1);
  }

  all(): Placed[] {
    return [...this.before.keys()].flatMap((index) => this.at(index) ?? []);
  }
}

function evenly({ stages = [] }: Profile): Segments {
  const segments = segmentsOf(stages);
  return new Segments(segments.length, (index) => segments[index] as Segment);
}

/** The seconds into a segment until `count` of its iterations are due: the root of the integral of its rate. */
function secondsUntil({ seconds, from, to }: Segment, count: number): number {
  const slope = (to - from) / seconds;
  const rate = sqrt(max(0, from * from + 2 * slope * count));
  return min(seconds, (2 * count) / (from + rate) || 0);
}

/** The iterations that are due in the first `end` seconds. */
function dueUntil(segments: readonly Placed[], end: number): number {
  return segments.reduce((sum, segment) => sum + dueWithin(segment, end - segment.startsAt), 0);
}

/** The iterations that are due in the first `end` seconds of a segment. */
function dueWithin({ seconds, from, to }: Segment, end: number): number {
  const part = min(max(0, end), seconds);
  return part * from + (((to - from) / seconds) * part * part) / 2;
}

/** The rate in each slot of a profile with random arrivals, as a Poisson process has them; `undefined` for any other. */
export function randomRates(profile: Profile): readonly number[] | undefined {
  if (profile.arrivals !== "poisson") return undefined;
  const segments = evenly(profile).all();
  const slot = slotOf(profile);
  const random = randomNumbers(1);
  return Array.from({ length: Math.ceil(lengthOf(profile) / slot) }, (_, index) => {
    const mean = dueUntil(segments, (index + 1) * slot) - dueUntil(segments, index * slot);
    // Only in slots longer than the time unit is there anything to round.
    return wholeRate(poisson(mean, random) / slot) / TIME_UNIT_SECONDS;
  });
}

/** Half an iteration is due at once, so that none is due at the very end of a slot, which could be the next one's start. */
const BEGINNING = { seconds: 0.001, from: 500, to: 500 };

const atRates = (rates: readonly number[], seconds: number) =>
  new Segments(rates.length + 1, (index) => {
    const rate = rates[index - 1];
    return rate === undefined ? BEGINNING : { seconds, from: rate, to: rate };
  });

/** The length of a slot of a profile with random arrivals, in seconds. */
function slotOf(profile: Profile): number {
  const end = lengthOf(profile);
  return SLOT_SECONDS.find((seconds) => end / seconds <= MAX_SLOTS) ?? wholeUnits(end / MAX_SLOTS);
}

const wholeUnits = (seconds: number) => Math.ceil(seconds / TIME_UNIT_SECONDS) * TIME_UNIT_SECONDS;

const lengthOf = ({ stages = [] }: Profile) =>
  segmentsOf(stages).reduce((sum, { seconds }) => sum + seconds, 0);

/** Above this mean, a Poisson distribution cannot be told from a normal one, and it is much cheaper to draw from that. */
const LARGE_MEAN = 1000;

function poisson(mean: number, random: () => number): number {
  if (mean > LARGE_MEAN) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  // In parts, because e^-mean must not vanish.
  const part = min(mean, 30);
  let count = 0;
  for (let product = random(); product > Math.exp(-part); product *= random()) count += 1;
  return mean > part ? count + poisson(mean - part, random) : count;
}

/** Draws from the standard normal distribution: the Box-Muller transform. */
const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
