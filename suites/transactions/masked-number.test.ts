import { describe, expect, test } from "vitest";
import { overexposed } from "./masked-number.ts";

const CARD = "4242 4242 4242 4242";

describe("overexposed", () => {
  test.each([
    "************4242",
    "424242******4242",
    "4242 42** **** 4242",
    "42424242-****-4242",
    "xxxx4242",
  ])("accepts %s", (text) => {
    expect(overexposed(`{"card":"${text}"}`, CARD)).toBeUndefined();
  });

  test.each([
    ["4242424242**4242", { first: 10, last: 4 }],
    ["4242 42** **24 2424 242", { first: 6, last: 9 }],
    ["********42424242", { first: 0, last: 8 }],
  ])("finds too many digits in %s: %o", (text, exposure) => {
    expect(overexposed(`{"card":"${text}"}`, CARD)).toEqual(exposure);
  });

  test("ignores the masked number of another card", () => {
    expect(overexposed('{"card":"1234567890******4242"}', CARD)).toBeUndefined();
  });
});
