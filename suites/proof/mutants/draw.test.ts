import { expect, test } from "vitest";
import { compatible, variations } from "../../../fixtures/mutants/variations/variations.ts";
import { draw, pack } from "./draw.ts";

const NUMBERS = Array.from({ length: 100 }, (_, index) => index);

test("draws different elements, the same for equal words and others for other words", () => {
  const drawn = draw([1, "checks"], NUMBERS, 10);

  expect(new Set(drawn).size).toBe(10);
  expect(draw([1, "checks"], NUMBERS, 10)).toEqual(drawn);
  expect(draw([2, "checks"], NUMBERS, 10)).not.toEqual(drawn);
  expect(draw(["all"], NUMBERS).toSorted((a, b) => a - b)).toEqual(NUMBERS);
});

test("packs every variation once, together with those that it does not exclude", () => {
  const packs = pack(1, variations);

  expect(new Set(packs.flat())).toEqual(new Set(variations));
  expect(packs.flat()).toHaveLength(variations.length);
  expect(packs.every(compatible)).toBe(true);
  expect(packs.length).toBeLessThan(variations.length / 3);
});
