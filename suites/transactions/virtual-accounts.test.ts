import { expect, test } from "vitest";
import { accountsIn, lessBy, referencesIn } from "./virtual-accounts.ts";

test("finds account numbers anywhere in undocumented data", () => {
  const data = { bank: { code: "058", account: "0123456789" }, amount: 150000, id: 1234567890123 };

  expect([...accountsIn(data)]).toEqual(["0123456789", "1234567890123"]);
  expect([...accountsIn([{ accountNumber: "0123456789" }])]).toEqual(["0123456789"]);
  expect([...accountsIn(null), ...accountsIn(undefined), ...accountsIn("closed")]).toEqual([]);
});

test("changes an amount and keeps it positive", () => {
  expect([lessBy(1, "100000"), lessBy(1, "2"), lessBy(1, "1")]).toEqual(["99999", "1", "2"]);
});

test("finds the reference of a payment, and not those of its customer or bank", () => {
  const data = { reference: "r-1", bank: { bankReference: "b" }, customer_reference: "c", tx: { ref: 7 } };

  expect([...referencesIn(data)]).toEqual(["r-1", "7"]);
  expect([...referencesIn("r-1"), ...referencesIn(null), ...referencesIn({ reference: "" })]).toEqual([]);
});
