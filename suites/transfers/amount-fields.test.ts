import { describe, expect, test } from "vitest";
import { amountFields, numberIn } from "./amount-fields.ts";

describe("amountFields", () => {
  test.each<[string, unknown, readonly unknown[]]>([
    ["an amount as a number", { amount: 100 }, [{ path: "amount", scale: 1 }]],
    [
      "an amount in subunits",
      { money: { amountMinor: 10_000 } },
      [{ path: "money.amountMinor", scale: 100 }],
    ],
    ["an amount in a text", { transferAmount: "NGN 100.00" }, [{ path: "transferAmount", scale: 1 }]],
    ["nothing in a number with another name", { limit: 100 }, []],
    ["nothing in another amount", { amount: 99 }, []],
  ])("finds %s", (_, row, fields) => {
    expect(amountFields(row, 100)).toEqual(fields);
  });
});

describe("numberIn", () => {
  test.each<[unknown, number | undefined]>([
    [100.37, 100.37],
    ["₦1,500.25", 1500.25],
    ["1 500", 1500],
    ["2026-11-21", undefined],
    ["TRF100", 100],
    ["none", undefined],
    [true, undefined],
  ])("reads %j as %s", (value, number) => {
    expect(numberIn(value)).toBe(number);
  });
});
