import { expect, test } from "vitest";
import { agrees } from "./shown-values.ts";

test.each([
  ["the same text", 'O\'Hara "x" 王', 'O\'Hara "x" 王', true],
  ["composed letters", "Zoe\u0301", "Zo\u00e9", true],
  ["a doubled apostrophe", "O'Hara", "O''Hara", false],
  ["letters in another encoding", "Zoé", "ZoÃ©", false],
  ["letters as question marks", "Zoé 王", "Zo? ?", false],
  ["a text without its emoji", "Ann 🎉 x", "Ann  x", false],
  ["a text that ends before its emoji", "Ann 🎉 x", "Ann", false],
  ["another letter case", "cst-1a", "CST-1A", true],
  ["another reference", "cst-1a", "cst-1b", false],
  ["a whole address", "cst-1a", "https://pay.example.com/cst-1a", true],
  ["a mask", "0123456789", "******6789", undefined],
  ["an omission", "A long note", "A long…", undefined],
  ["an amount in the other unit", 100.25, 10_025, true],
  ["a truncated amount", 100.25, 100, false],
  ["an amount as text", 100.5, "100.50", true],
  ["an amount as words", 100.5, "one hundred", undefined],
  ["an amount of digits", "100000", 1000, true],
  ["a text without its leading zero", "0123456789", "123456789", false],
  ["a number for a text with a leading zero", "058", 58, false],
  ["a boolean as a number", true, 1, true],
  ["the other boolean", true, false, false],
  ["nothing", "x", null, undefined],
  ["a record", 4001, { id: 4001 }, undefined],
  ["the same list", ["a1", "b2"], ["a1", "b2"], true],
  ["a shorter list", ["a1", "b2"], ["a1"], undefined],
  ["a date in another form", "2030-12-31", "31/12/2030", undefined],
  ["a date that begins with the year", "31/12/2030", "2030-12-31", undefined],
  ["a date with a time in another zone", "2030-12-31", "2030-12-30T23:00:00Z", undefined],
  ["the day before", "2030-12-31", "2030-12-30", false],
])("compares what was sent with %s", (_, sent, shown, expected) => {
  expect(agrees(sent, shown)).toBe(expected);
});
