import { expect, test } from "vitest";
import { rarestSeen } from "./rarity.ts";

test.each([
  [0, undefined],
  [1, 1],
  [5, 2],
  [44, 15],
  [61, 20],
  [299, 100],
])("%i answers show a defect in one of %j with 95 %% certainty", (count, rarest) => {
  expect(rarestSeen(count)).toBe(rarest);
});

test("finds the largest k for which n >= ln(0.05) / ln(1 - 1/k)", () => {
  for (const count of [2, 3, 10, 50, 200]) {
    const rarest = rarestSeen(count) ?? 0;
    const needed = (k: number) => Math.log(0.05) / Math.log(1 - 1 / k);

    expect(needed(rarest + 1)).toBeGreaterThan(count);
    if (rarest > 1) expect(needed(rarest)).toBeLessThanOrEqual(count);
  }
});
