/** Neighbouring rates differ by at most this factor, and so do the two bounds of a result. */
const RESOLUTION = 1.05;
/** The lowest rate is this part of the highest one: the ramp begins there too. */
const LOWEST_PART = 1 / 20;
/** How many rates lie between the first try and the second one: as far as the ramp may be wrong. */
const STRIDE = 2;

/** How many runs a search repeats in which only the generator was too slow: a busy moment must not end it. */
export const REPEATS = 2;

/** A rate that was tried, as its index in the list of rates, and whether the target held it. */
export interface Try {
  readonly index: number;
  readonly held: boolean;
}

/** The highest rate that held and the lowest one that did not, as indices; -1 and the number of rates if there is none. */
export interface Bounds {
  readonly held: number;
  readonly broke: number;
}

/** The rates that a search may try, up to `top`, ascending, with three digits each. */
export function ratesUpTo(top: number): number[] {
  const rates = [top];
  for (let rate = top; rate > top * LOWEST_PART; rates.unshift(rate)) rate = threeDigits(rate / RESOLUTION);
  return rates;
}

/** Rounds up, so that two neighbours never differ by more than the resolution. */
function threeDigits(rate: number): number {
  const unit = 10 ** (Math.floor(Math.log10(rate)) - 2);
  return Number((Math.ceil(rate / unit - 1e-9) * unit).toPrecision(3));
}

export function boundsOf(count: number, tries: readonly Try[]): Bounds {
  const indices = (held: boolean) => tries.filter((one) => one.held === held).map(({ index }) => index);
  return { held: Math.max(-1, ...indices(true)), broke: Math.min(count, ...indices(false)) };
}

/**
 * The index of the rate to try next, of `count` rates; `undefined` when the bounds are neighbours. It begins where the ramp
 * broke (`hint`), then looks near it on the other side, and bisects what is left: a good hint takes three tries.
 */
export function nextTry(count: number, hint: number, tries: readonly Try[]): number | undefined {
  const { held, broke } = boundsOf(count, tries);
  if (broke - held <= 1) return undefined;
  const between = (index: number) => Math.min(Math.max(index, held + 1), broke - 1);
  if (tries.length === 0) return between(hint);
  if (tries.length === 1) return between(held >= 0 ? held + STRIDE : broke - STRIDE);
  return Math.floor((held + broke) / 2);
}

/** The most that a search can cost, with its repeats, whatever its runs show; `costs` has what each rate costs. */
export const mostOf = (costs: readonly number[]): number => dearest(costs) + REPEATS * Math.max(...costs);

/** What the dearest search without repeats costs. */
function dearest(costs: readonly number[]): number {
  const most = (hint: number, tries: readonly Try[]): number => {
    const index = nextTry(costs.length, hint, tries);
    if (index === undefined) return 0;
    const rest = [true, false].map((held) => most(hint, [...tries, { index, held }]));
    return (costs[index] ?? 0) + Math.max(...rest);
  };
  return Math.max(...costs.map((_, hint) => most(hint, [])));
}
