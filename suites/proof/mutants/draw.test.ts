import { describe, expect, it } from "vitest";
import { compatible, variations } from "../../../fixtures/mutants/variations/variations.ts";
import { drawer, pack, sample } from "./draw.ts";

describe("drawer", () => {
  it("repeats its numbers for equal words and draws others for other words", () => {
    const numbers = (...words: string[]) => {
      const draw = drawer(...words);
      return [draw(), draw(), draw()];
    };

    expect(numbers("1", "mix")).toEqual(numbers("1", "mix"));
    expect(numbers("1", "mix")).not.toEqual(numbers("2", "mix"));
  });

  it("spreads its numbers over the whole range", () => {
    const draw = drawer("spread");
    const tenths = new Set(Array.from({ length: 1_000 }, () => Math.floor(draw() * 10)));

    expect([...tenths].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe("sample", () => {
  it("draws the requested number of different elements", () => {
    expect(new Set(sample(drawer("sample"), [1, 2, 3, 4, 5], 3)).size).toBe(3);
  });

  it("draws all elements if there are too few", () => {
    expect(sample(drawer("sample"), [1, 2, 3], 10).toSorted()).toEqual([1, 2, 3]);
  });
});

describe("pack", () => {
  it("has every variation once, in packs of compatible variations", () => {
    const packs = pack(drawer("pack"), variations);

    expect(
      packs
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(variations.map(({ id }) => id).toSorted());
    expect(packs.every(compatible)).toBe(true);
    expect(packs.length).toBeLessThan(variations.length / 3);
  });
});
