import { expect, test } from "vitest";
import { operations } from "./contract.ts";
import { openItems } from "./open-items.ts";
import { type RequirementId, requirements } from "./requirements.ts";

const entries = Object.entries(requirements);
const numbered = (letter: string, digits: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(digits, "0")}`);

test("has R001 to R114 and the open items N01 to N46 and G01 to G22, in order", () => {
  expect(Object.keys(requirements)).toEqual(numbered("R", 3, 114));
  expect(Object.keys(openItems)).toEqual([...numbered("N", 2, 46), ...numbered("G", 2, 22)]);
});

test("states every requirement once, in one sentence, and names its sections in their order", () => {
  const statements = entries.map(([, { statement }]) => statement);
  const first = entries.map(([, { section }]) => Number(section.split(/[.,]/)[0]));

  expect(new Set(statements).size).toBe(114);
  expect(statements.filter((statement) => !/^\S.{15,}\.$/.test(statement))).toEqual([]);
  expect(entries.filter(([, { section }]) => !/^[1-9](\.\d+)?(, [1-9](\.\d+)?)*$/.test(section))).toEqual([]);
  expect(first).toEqual(first.toSorted((a, b) => a - b));
});

test("is claimed by no operation if it cannot be verified", () => {
  const claimed: RequirementId[] = operations.flatMap(({ requirements: by, bound }) => [
    ...Object.values(by).flat(),
    ...bound.flatMap((condition) => condition.requirements),
  ]);

  expect(claimed.filter((id) => requirements[id].testable === "no")).toEqual([]);
});
