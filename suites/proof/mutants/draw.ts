import type { Variation } from "../../../fixtures/mutants/variations/variation.ts";
import { compatible } from "../../../fixtures/mutants/variations/variations.ts";

/** A repeatable source of numbers from 0 to below 1. */
export type Draw = () => number;

/** Makes a source of numbers; equal words give equal numbers (xorshift on a hash of the words). */
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

/** `count` different elements of `all`, in drawn order. */
export function sample<T>(draw: Draw, all: readonly T[], count: number): T[] {
  const rest = [...all];
  const drawn: T[] = [];
  while (rest.length > 0 && drawn.length < count) {
    drawn.push(...rest.splice(Math.floor(draw() * rest.length), 1));
  }
  return drawn;
}

/** Distributes all variations evenly over about as few packs as their conflicts allow. */
export function pack(draw: Draw, all: readonly Variation[]): Variation[][] {
  // Variations that all exclude each other need a pack each.
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
