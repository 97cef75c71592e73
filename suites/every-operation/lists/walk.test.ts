import { expect, test } from "vitest";
import { lastFilledPage } from "./walk.ts";

test.each([
  [12, 12],
  [12, 13],
  [12, 24],
  [12, 1000],
  [0, 0],
  [0, 3],
])("finds the last page of a list, starting at page %i: %i", async (known, last) => {
  const asked: number[] = [];

  const found = await lastFilledPage(known, async (page) => {
    asked.push(page);
    return page <= last;
  });

  expect(found).toBe(last);
  expect(asked.length).toBeLessThanOrEqual(20);
});

test("ends at an API that has items on every page", async () => {
  let asked = 0;

  await lastFilledPage(12, async () => {
    asked += 1;
    return true;
  });

  expect(asked).toBeLessThanOrEqual(32);
});
