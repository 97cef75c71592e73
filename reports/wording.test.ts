import { expect, it } from "vitest";
import { inertJson, printable, printableLines } from "./wording.ts";

it.each([
  ["\u001b[2J", "\\u001b[2J"],
  ["\u009b31m", "\\u009b31m"],
  ["one\ntwo\r", "one\\ntwo\\u000d"],
  ["\u202egnp", "\\u202egnp"],
  ["::error::fine", "\\u003a:error::fine"],
  ["a ::add-mask::b", "a \\u003a:add-mask::b"],
  ["Module::name at [::1]:80", "Module::name at [::1]:80"],
  ["a##[error]b", "a\\u0023#[error]b"],
  ["##vso[x]", "\\u0023#vso[x]"],
  ["##teamcity[x]", "\\u0023#teamcity[x]"],
  ["## Title [x]", "## Title [x]"],
])("writes %j as a line that commands nothing", (text, line) => {
  expect(printable(text)).toBe(line);
});

it("keeps the lines of a text, and makes each of them inert", () => {
  expect(printableLines("one\r\n::error::two\n\u001b")).toBe("one\n\\u003a:error::two\n\\u001b");
});

it("writes JSON that a terminal shows as it is, and that says the same", () => {
  const value = { text: "\u009b31m\u007f\u202e ##[error]x", "##vso[": ["\u2028", "\ud800"] };

  const json = inertJson(value, 1);

  expect(JSON.parse(json)).toEqual(value);
  expect(json).toMatch(/^[ -~\n]*$/);
  expect(json).not.toMatch(/##\w*\[/);
});
