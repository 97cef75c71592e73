import { expect, test } from "vitest";
import { compareWithSent } from "./as-sent.ts";

const sent = {
  code: "cst-1",
  value: 5,
  discounttype: "percentage",
  minOrderAmount: 100,
  endDate: "2030-12-31",
  isDelete: false,
};

test("names the fields whose values differ from what was sent", () => {
  const item = { ...sent, value: 6, discounttype: "flat", endDate: "2030-12-30", isDelete: true };

  expect(compareWithSent(sent, item).other).toEqual(["value", "discounttype", "endDate", "isDelete"]);
});

test("accepts numbers as text, other units, other letter cases and shortened words", () => {
  const attributes = { CODE: "CST-1", value: "5.00", discount_type: "PERCENT", min_order_amount: 10_000 };

  expect(compareWithSent(sent, { attributes })).toEqual({
    known: ["code", "value", "discounttype", "minOrderAmount"],
    other: [],
  });
});

test("ignores fields that are missing, formatted, or there twice", () => {
  const item = { code: null, value: "5 %", endDate: "31 December 2030", isDelete: "N", data: { value: 7 } };

  expect(compareWithSent(sent, item)).toEqual({ known: [], other: [] });
});
