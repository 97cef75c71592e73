import { describe, expect, test } from "vitest";
import { contract } from "./contract.ts";
import { neededByCondition, neededVariables, type Operation } from "./operation.ts";
import { FRESH, given, givenCard, givenOr, isGiven, requiredVariables, usedVariables } from "./recipe.ts";

const recipe = {
  path: { id: given("PAGE_ID", { standIn: 7 }) },
  query: given("DISCOUNT_UPDATE", { member: "query" }),
  body: [
    { pageId: given("PAGE_ID"), cvv: givenCard("CARD_CVV"), code: FRESH, value: 5 },
    givenOr("NDD_EXTRA_FIELDS", {}),
  ],
};

test("requires each variable without which no valid request exists, once", () => {
  expect(requiredVariables(recipe)).toEqual(["PAGE_ID", "DISCOUNT_UPDATE", "CARD_CVV"]);
});

test("uses the optional variables too, and those that decide how a value is sent", () => {
  expect(usedVariables(recipe)).toEqual([
    "PAGE_ID",
    "DISCOUNT_UPDATE",
    "CARD_CVV",
    "CARD_AS_NUMBERS",
    "NDD_EXTRA_FIELDS",
  ]);
});

test.each([undefined, null, {}, [], "text", 7, FRESH])("finds no variables in %s", (nothing) => {
  expect(requiredVariables(nothing)).toEqual([]);
  expect(usedVariables(nothing)).toEqual([]);
});

test("recognises a variable by its name and whether it is required", () => {
  expect([given("PAGE_ID"), givenOr("PAGE_ID", 1), givenCard("CARD_CVV")].every(isGiven)).toBe(true);
  expect([{}, null, "PAGE_ID", { variable: "PAGE_ID" }, { required: true }].some(isGiven)).toBe(false);
});

describe("the variables that an operation needs", () => {
  test("are those of its ordinary request", () => {
    expect(neededVariables(contract.createTransfer)).toEqual([
      "TRANSFER_AMOUNT",
      "BANK_CODE",
      "ACCOUNT_NUMBER",
      "ACCOUNT_NAME",
      "EMAIL_ADDRESS",
    ]);
    expect(neededVariables(contract.listTransfers)).toEqual([]);
  });

  test("include the list of transactions of which a refund uses up one", () => {
    expect(neededVariables(contract.refundTransaction)).toEqual(["REFUNDABLE_TRANSACTIONS"]);
  });

  test("are those of the path for a condition about the record that the path names", () => {
    const { bound }: Operation = contract.updateSubscription;
    const needed = Object.fromEntries(
      bound.map((condition) => [condition.id, neededByCondition(contract.updateSubscription, condition)]),
    );

    expect(needed).toMatchObject({ "subscription-unknown": [], "amount-abc": ["SUBSCRIPTION_ID"] });
  });
});
