import { type CheckContext, checksUnder, demand } from "../../fixtures/engine/vocabulary.ts";
import { oddAmounts, oddValues } from "../every-operation/requests/odd-values.ts";
import { observesMembers, statusCodes, takesOptionalFields } from "../every-operation/requests/writes.ts";
import { cardField } from "../every-operation/requests.ts";

const ID = "createCardTransaction";
const check = checksUnder(ID);

const MASKED_NUMBER = "shows at most the first 8 and the last 4 digits of a masked card number";
check("masked-number", MASKED_NUMBER, { should: "PCI 3.4.1" }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  const shown = overexposed(response.text, ctx.need("CARD_NUMBER"));
  const actual = `returned a masked card number with its first ${shown?.first} and last ${shown?.last} digits`;
  demand(!shown, response, actual, "at most the first 8 and the last 4 digits");
});

/** Digits of a card number that its masked form may show (PCI DSS 3.4.1). */
const MOST_FIRST = 8;
const MOST_LAST = 4;

/** Counts the digits that a masked form of the card number shows, if there are too many before or after its mask. */
function overexposed(text: string, cardNumber: string) {
  const digits = cardNumber.replaceAll(/\D/g, "");
  const compact = text.replaceAll(/(?<=[\d*#•xX])[ -](?=[\d*#•xX])/g, "");
  return [...compact.matchAll(/(\d*)[*#•xX]{2,}(\d*)/g)]
    .map(([, first = "", last = ""]) => ({ first, last }))
    .filter(({ first, last }) => digits.startsWith(first) && digits.endsWith(last))
    .map(({ first, last }) => ({ first: first.length, last: last.length }))
    .find(({ first, last }) => first > MOST_FIRST || last > MOST_LAST);
}

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
