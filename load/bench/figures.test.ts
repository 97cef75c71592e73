import { describe, expect, test } from "vitest";
import { growthAfter, isKept, median, renderFigure } from "./figures.ts";

describe("the figures of a bench", () => {
  test.for([
    [{ most: 1.3 }, 1.3, true],
    [{ most: 1.3 }, 1.31, false],
    [{ least: 3000 }, 3000, true],
    [{ least: 3000 }, 2999, false],
    [{ most: 1.3 }, Number.NaN, false],
  ] as const)("with the limit %j, %d is kept: %j", ([limit, value, kept]) => {
    const figure = { what: "CPU", value, unit: "times", ...limit };

    expect(isKept(figure)).toBe(kept);
    expect(renderFigure(figure)).toMatch(kept ? /^kept / : /^MISSED /);
  });

  test("name the limit", () => {
    expect(renderFigure({ what: "CPU", value: 1.234, unit: "times", most: 1.3 })).toBe(
      "kept    CPU: 1.23 times (at most 1.3)",
    );
    expect(renderFigure({ what: "CPU", value: 1.234, unit: "times" })).toBe("        CPU: 1.23 times");
  });

  test.for([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
    [[], Number.NaN],
  ] as const)("the median of %j is %d", ([values, middle]) => {
    expect(median(values)).toBe(middle);
  });

  test("growth is what comes on top after the first minute, peaks of a second apart", () => {
    const memory = (second: number) =>
      second < 50 ? 500 : second === 100 ? 900 : 200 + Math.floor(second / 60);
    const samples = Array.from({ length: 600 }, (_, second) => ({ second, value: memory(second) }));

    expect(growthAfter(samples, 60)).toBe(9);
    expect(growthAfter(samples.slice(0, 60), 60)).not.toBeGreaterThan(0);
  });
});
