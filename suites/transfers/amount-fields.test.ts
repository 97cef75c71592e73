import { describe, expect, test } from "vitest";
import { amountFields, numberIn } from "./amount-fields.ts";

describe("amountFields", () => {
  test.each<[string, unknown, readonly unknown[]]>([
    ["a number", { amount: 100 }, [{ path: "amount", scale: 1 }]],
    ["subunits", { money: { amountMinor: 10_000 } }, [{ path: "money.amountMinor", scale: 100 }]],
    ["a text", { transferAmount: "NGN 100.00" }, [{ path: "transferAmount", scale: 1 }]],
    ["a number of another name", { limit: 100 }, []],
    ["another amount", { amount: 99 }, []],
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
