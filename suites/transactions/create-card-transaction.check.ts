import type { CheckContext } from "../../fixtures/engine/vocabulary.ts";
import { oddAmounts, oddValues } from "../every-operation/requests/odd-values.ts";
import { observesMembers, statusCodes, takesOptionalFields } from "../every-operation/requests/writes.ts";
import { cardField } from "../every-operation/requests.ts";

const ID = "createCardTransaction";

const withCard =
  (field: string, text: string) =>
  ({ values }: CheckContext) => ({ [field]: cardField(values, text) });

oddValues(ID, {
  rejected: [
    ["cvv-of-2-digits", "practice", withCard("cvv", "12"), "cvv has 2 digits"],
    ["cvv-of-5-digits", "practice", withCard("cvv", "12345"), "cvv has 5 digits"],
  ],
  // biome-ignore format: a table
  apart: [
    ["check-digit-wrong", "practice", withCard("cardNumber", "4111111111111112"), "cardNumber has a wrong check digit"],
    ["number-of-12-digits", "practice", withCard("cardNumber", "411111111111"), "cardNumber has 12 digits"],
    ["number-of-20-digits", "practice", withCard("cardNumber", "41111111111111111111"), "cardNumber has 20 digits"],
    ["number-with-letters", "practice", withCard("cardNumber", "4111abcd11111111"), "cardNumber has letters"],
    ["month-0", "practice", withCard("expiryMonth", "0"), "expiryMonth is 0"],
    ["month-13", "practice", withCard("expiryMonth", "13"), "expiryMonth is 13"],
    ["year-past", "practice", pastYear, "the card expired in 2020"],
  ],
  // biome-ignore format: a table
  open: [
    ["declining-card", "N40", "a card transaction with the declining test card", withDecliningCard],
  ],
});

function withDecliningCard(ctx: CheckContext) {
  return { cardNumber: cardField(ctx.values, ctx.need("DECLINING_CARD_NUMBER")) };
}

function pastYear({ values }: CheckContext) {
  return { expiryYear: cardField(values, values.CARD_EXPIRY_YEAR?.length === 2 ? "20" : "2020") };
}

oddAmounts(ID);

statusCodes(ID, "N19", "N19");
takesOptionalFields(ID, ["R034"]);
observesMembers(ID, "payment-details", "N13", "paymentDetails");
