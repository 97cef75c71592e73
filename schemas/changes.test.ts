import { expect, test } from "vitest";
import { describeChange, fieldDefect, rejectionTitle } from "./changes.ts";

test.each([
  ["limit is missing", { query: { limit: undefined } }],
  ["limit and page are missing", { query: { limit: undefined, page: undefined } }],
  [
    "email, amount and reference are missing",
    { body: { email: undefined, amount: undefined, reference: undefined } },
  ],
  ['amount is "abc"', { body: { amount: "abc" } }],
  ["amount is null", { body: { amount: null } }],
  ["email is missing, and amount is {}", { body: { email: undefined, amount: {} } }],
  ['id is "abc", and status is true', { path: { id: "abc" }, query: { status: true } }],
  ["", { body: null }],
])("says %j", (text, change) => {
  expect(describeChange(change)).toBe(text);
});

test("makes a defect of one field of the body, in its own words or in those of its change", () => {
  expect(fieldDefect("amount", -1)).toEqual({
    change: { body: { amount: -1 } },
    what: "amount is -1",
    field: "amount",
  });
  expect(fieldDefect("amount", undefined)).toEqual({
    change: { body: { amount: undefined } },
    what: "amount is missing",
    field: "amount",
  });
  expect(fieldDefect("email", "x", "email is no address").what).toBe("email is no address");
});

test.each([
  ["refuses a transfer without amount", "amount is missing"],
  ["refuses a transfer without email, amount and reference", "email, amount and reference are missing"],
  ['refuses a transfer when amount is "abc"', 'amount is "abc"'],
  ["refuses a transfer when email is missing, and amount is {}", "email is missing, and amount is {}"],
  [
    "refuses a transfer when pageType is Subscription and planId is missing",
    "pageType is Subscription and planId is missing",
  ],
  [
    "refuses a transfer when no account has this number, and amount is missing",
    "no account has this number, and amount is missing",
  ],
])("gives the title %j", (title, what) => {
  expect(rejectionTitle("a transfer", what)).toBe(title);
});
