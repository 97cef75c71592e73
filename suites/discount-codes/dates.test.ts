import { expect, test } from "vitest";
import { dateIn } from "./dates.ts";

test("writes a date in the given form, by default as YYYY-MM-DD", () => {
  const [year, month, day] = dateIn(30).split("-");

  expect(dateIn(30)).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(dateIn(30, "DD/MM/YYYY")).toBe(`${day}/${month}/${year}`);
  expect(dateIn(30) > dateIn(1)).toBe(true);
});
