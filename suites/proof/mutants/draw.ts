import type { Variation } from "../../../fixtures/mutants/variations/variation.ts";
import { compatible } from "../../../fixtures/mutants/variations/variations.ts";

/** `count` different elements of `all`, in drawn order; equal words draw the same (xorshift on a hash of the words). */
export function draw<T>(words: readonly (string | number)[], all: readonly T[], count = all.length): T[] {
  let state = 2_166_136_261;
  for (const character of words.join("/"))
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  const rest = [...all];
  const drawn: T[] = [];
  while (rest.length > 0 && drawn.length < count) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    drawn.push(...rest.splice(Math.floor(((state >>> 0) / 2 ** 32) * rest.length), 1));
  }
  return drawn;
}

/** Distributes variations, in drawn order, over packs: each goes to the smallest that has none that it excludes. */
export function pack(seed: number, all: readonly Variation[]): Variation[][] {
  const packs: Variation[][] = [];
  for (const variation of draw([seed, "packs"], all)) {
    const [room] = packs
      .filter((chosen) => compatible([...chosen, variation]))
      .toSorted((a, b) => a.length - b.length);
    if (room) room.push(variation);
    else packs.push([variation]);
  }
  return packs;
}
