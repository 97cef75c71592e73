import type { Values } from "../../fixtures/engine/config/variables.ts";
import { asNumber } from "../../fixtures/engine/http/build.ts";
import { handlingOf } from "../../fixtures/engine/http/wording.ts";
import {
  sendTolerated,
  shouldReject,
  shouldRejectCritically,
} from "../../fixtures/engine/judge/check-families.ts";
import { expectNoCrash, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { checksUnder } from "../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../fixtures/engine/run/control.ts";
import {
  acceptsOptionalFields,
  observeMembers,
  observeStatus,
  refusesOddAmounts,
  rejectsWithoutIdentifier,
} from "../every-operation/families.ts";

const ID = "createCardTransaction";
const check = checksUnder(ID);

acceptsOptionalFields(ID, ["R034"]);

/** A check's name, the field, its value, and what is wrong with it. */
const IMPOSSIBLE_CARDS = [
  ["check-digit-wrong", "cardNumber", "4111111111111112", "cardNumber has a wrong check digit"],
  ["number-of-12-digits", "cardNumber", "411111111111", "cardNumber has 12 digits"],
  ["number-of-20-digits", "cardNumber", "41111111111111111111", "cardNumber has 20 digits"],
  ["number-with-letters", "cardNumber", "4111abcd11111111", "cardNumber has letters"],
  ["month-0", "expiryMonth", "0", "expiryMonth is 0"],
  ["month-13", "expiryMonth", "13", "expiryMonth is 13"],
  ["year-past", "expiryYear", "2020", "the card expired in 2020"],
] as const;

for (const [name, field, value, what] of IMPOSSIBLE_CARDS) {
  const change = ({ values }: CheckContext) => {
    const hasShortYear = field === "expiryYear" && values.CARD_EXPIRY_YEAR?.length === 2;
    return { body: { [field]: cardField(values, hasShortYear ? value.slice(2) : value) } };
  };
  shouldRejectCritically(`createCardTransaction/${name}`, "practice", { change, what, field });
}

for (const cvv of ["12", "12345"]) {
  shouldReject(`createCardTransaction/cvv-of-${cvv.length}-digits`, "practice", {
    change: ({ values }) => ({ body: { cvv: cardField(values, cvv) } }),
    what: `cvv has ${cvv.length} digits`,
    field: "cvv",
  });
}

const DECLINING_CARD = "does not crash when a card is declined";
check("declining-card", DECLINING_CARD, { critical: "N40", pays: 1, probe: true }, async (ctx) => {
  const cardNumber = cardField(ctx.values, ctx.need("DECLINING_CARD_NUMBER"));
  const response = await sendTolerated(ctx, ID, { body: { cardNumber } });
  ctx.observe("N40", `a card transaction with the declining test card ${handlingOf(response)}`);
  expectNoCrash(response, "a card is declined");
});

refusesOddAmounts(ID, { outOfRange: true });

const MASKED_NUMBER = "shows at most the first 8 and the last 4 digits of a masked card number";
check("masked-number", MASKED_NUMBER, { should: "PCI 3.4.1" }, async (ctx) => {
  const response = await requireControl(ctx, ID);
  const shown = overexposed(response.text, ctx.need("CARD_NUMBER"));
  const actual = `returned a masked card number with its first ${shown?.first} and last ${shown?.last} digits`;
  expectThat(!shown, response, actual, "at most the first 8 and the last 4 digits");
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

observeMembers("createCardTransaction/payment-details", "N13", "paymentDetails", "paymentDetails");
observeStatus(ID, "N19");
rejectsWithoutIdentifier(ID, "N19");

/** A card value in the JSON type that this deployment takes; section 4.3 does not document it. */
const cardField = ({ CARD_AS_NUMBERS }: Values, text: string) => (CARD_AS_NUMBERS ? asNumber(text) : text);
