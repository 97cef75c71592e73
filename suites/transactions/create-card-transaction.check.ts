import { checksUnder, demand, demandNoCrash } from "../../fixtures/engine/vocabulary.ts";
import { cardField } from "../every-operation/requests.ts";

const ID = "createCardTransaction";
const check = checksUnder(ID);

const DECLINING_CARD = "does not crash when a card is declined";
check("declining-card", DECLINING_CARD, { critical: "N40", pays: 1, probe: true }, async (ctx) => {
  const cardNumber = cardField(ctx.values, ctx.need("DECLINING_CARD_NUMBER"));
  const response = await ctx.sendTolerated(ID, { body: { cardNumber } });
  ctx.observe("N40", `a card transaction with the declining test card ${response.fate}`);
  demandNoCrash(response, "a card is declined");
});

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
