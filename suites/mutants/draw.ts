import type { Variation } from "../../fixtures/sandbox/points/points.ts";
import { compatible } from "../../fixtures/sandbox/variations/variations.ts";

/** A source of numbers from 0 to below 1 that a seed repeats. */
export type Draw = () => number;

/** Makes a source of numbers; the same words give the same numbers (xorshift on a hash of the words). */
export function drawer(...words: readonly (string | number)[]): Draw {
  let state = 2_166_136_261;
  for (const character of words.join("/")) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  }
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** As many different ones of `all` as asked for, in drawn order. */
export function sample<T>(draw: Draw, all: readonly T[], count: number): T[] {
  const rest = [...all];
  const drawn: T[] = [];
  while (rest.length > 0 && drawn.length < count) {
    drawn.push(...rest.splice(Math.floor(draw() * rest.length), 1));
  }
  return drawn;
}

/** Fewer variations than this at once are hardly a mix, more of them are hardly a deployment. */
const SMALLEST_MIX = 3;
const LARGEST_MIX = 9;

/** A drawn set of variations that can be had at once. */
export function mix(draw: Draw, all: readonly Variation[]): Variation[] {
  const size = SMALLEST_MIX + Math.floor(draw() * (LARGEST_MIX - SMALLEST_MIX + 1));
  const chosen: Variation[] = [];
  for (const variation of sample(draw, all, all.length)) {
    if (chosen.length < size && compatible([...chosen, variation])) chosen.push(variation);
  }
  return chosen;
}

/** All variations, evenly, in about as few drawn mixes as their conflicts allow. */
export function pack(draw: Draw, all: readonly Variation[]): Variation[][] {
  // The longest list of conflicts is that of variations of which each excludes all others.
  const fewest = Math.max(1, ...all.map(({ conflicts = [] }) => conflicts.length + 1));
  const packs = Array.from({ length: Math.min(fewest, all.length) }, (): Variation[] => []);
  for (const variation of sample(draw, all, all.length)) {
    const [room] = packs
      .filter((chosen) => compatible([...chosen, variation]))
      .toSorted((a, b) => a.length - b.length);
    if (room) room.push(variation);
    else packs.push([variation]);
  }
  return packs;
}
