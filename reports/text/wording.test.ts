import { expect, it } from "vitest";
import { formatAmount, plural } from "./wording.ts";

it.each([
  [0, "0 payouts"],
  [1, "1 payout"],
  [1200, "1,200 payouts"],
])("counts %i with its noun", (count, text) => {
  expect(plural(count, "payout")).toBe(text);
});

it.each([
  [3200, "3,200.00"],
  [1_414_400.37, "1,414,400.37"],
  [0.1 + 0.2, "0.30"],
])("writes %d with thousands separators and two decimals", (sum, text) => {
  expect(formatAmount(sum)).toBe(text);
});
