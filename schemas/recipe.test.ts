import { expect, test } from "vitest";
import { contract } from "./contract.ts";
import { neededByCondition, type Operation } from "./operation.ts";
import { FRESH, given, givenCard, givenOr, requiredVariables, usedVariables } from "./recipe.ts";

test("tells the variables without which no valid request exists from all that a recipe uses", () => {
  const recipe = {
    path: { id: given("PAGE_ID", { standIn: 7 }) },
    query: given("DISCOUNT_UPDATE", { member: "query" }),
    body: [
      { pageId: given("PAGE_ID"), cvv: givenCard("CARD_CVV"), code: FRESH, value: 5 },
      givenOr("NDD_EXTRA_FIELDS", {}),
    ],
  };

  expect(requiredVariables(recipe)).toEqual(["PAGE_ID", "DISCOUNT_UPDATE", "CARD_CVV"]);
  expect(usedVariables(recipe)).toEqual([
    ...["PAGE_ID", "DISCOUNT_UPDATE", "CARD_CVV", "CARD_AS_NUMBERS", "NDD_EXTRA_FIELDS"],
  ]);
});

test("a condition needs the variable of the record in the path, unless it changes the path", () => {
  const { bound }: Operation = contract.updateSubscription;
  const needed = bound.map((one) => [one.id, neededByCondition(contract.updateSubscription, one)]);

  expect(Object.fromEntries(needed)).toMatchObject({
    "subscription-unknown": [],
    "amount-abc": ["SUBSCRIPTION_ID"],
  });
});
