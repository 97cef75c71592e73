import type { Profile, Stage } from "./profiles.ts";

interface Ramp {
  readonly startsAt: number;
  readonly seconds: number;
  /** Iterations per second at its start and at its end. */
  readonly from: number;
  readonly to: number;
  readonly before: number;
}

/** k6 takes whole rates, so they are counted in this time. */
const TIME_UNIT_SECONDS = 1000;
/** Ends the schedule this part of an iteration after the last one, so that none is lost at its end. */
const TAIL = 0.5;

const wholeRate = (rate: number) => Math.round(rate * TIME_UNIT_SECONDS);

/** When each iteration of a profile is due, which is known before the start. */
export class ArrivalTimes {
  readonly #ramps: readonly Ramp[];
  readonly #total: number;
  readonly count: number;

  constructor({ stages }: Pick<Profile, "stages">) {
    const { ramps, total } = rampsOf(stages);
    this.#ramps = ramps;
    this.#total = total;
    this.count = Math.floor(this.#total + 1e-6);
  }

  /** The milliseconds after the start of the schedule at which an iteration is due; the first one has the number 0. */
  dueMs(iteration: number): number {
    const ramp = this.#ramps.findLast(({ before }) => before < iteration + 1);
    if (!ramp) return 0;
    const { startsAt, seconds, from, to, before } = ramp;
    // The root of the integral of the rate.
    const count = iteration + 1 - before;
    const rate = Math.sqrt(Math.max(0, from * from + (2 * (to - from) * count) / seconds));
    return (startsAt + Math.min(seconds, (2 * count) / (from + rate) || 0)) * 1000;
  }

  /** The schedule as k6's executor `ramping-arrival-rate` takes it. */
  toExecutor() {
    const startRate = wholeRate(this.#ramps[0]?.from ?? 0);
    const missing = this.count + TAIL - this.#total;
    const end = { seconds: missing, from: 1, to: 1 };
    // A stage of no time is a jump.
    const stages = [...this.#ramps, ...(missing > 0 ? [end] : [])].flatMap(({ seconds, from, to }) => [
      { target: wholeRate(from), duration: "0s" },
      { target: wholeRate(to), duration: `${Math.round(seconds * 1e6)}us` },
    ]);
    return { startRate, timeUnit: `${TIME_UNIT_SECONDS}s`, stages };
  }
}

/** The ramps of some stages, with rates and lengths that k6 can express, and how many iterations are due until their end. */
function rampsOf(stages: readonly Stage[]) {
  const ramps: Ramp[] = [];
  let [startsAt, before, from] = [0, 0, wholeRate(stages[0]?.rate ?? 0) / TIME_UNIT_SECONDS];
  for (const stage of stages) {
    const seconds = Math.round(stage.seconds * 1000) / 1000;
    const to = wholeRate(stage.rate) / TIME_UNIT_SECONDS;
    if (seconds > 0) ramps.push({ startsAt, seconds, from, to, before });
    startsAt += seconds;
    before += (seconds * (from + to)) / 2;
    from = to;
  }
  return { ramps, total: before };
}
