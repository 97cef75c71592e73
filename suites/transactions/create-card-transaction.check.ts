import type { Values } from "../../fixtures/config/variables.ts";
import { asNumber } from "../../fixtures/http/build.ts";
import { Violation } from "../../fixtures/http/findings.ts";
import { handlingOf, membersOf } from "../../fixtures/http/wording.ts";
import { sendsInvalid, shouldReject, shouldRejectCritically } from "../../fixtures/judge/check-families.ts";
import { expectOptionalPartsAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { checkAmounts, checkOverflow, NOT_POSITIVE, OUT_OF_SCALE } from "./amounts.ts";
import { overexposed } from "./masked-number.ts";
import { observeStatus, rejectsWithoutIdentifier } from "./observations.ts";
import { OPTIONAL_FIELDS } from "./optional-fields.ts";

check("createCardTransaction/optional-fields", "TITLE", { must: ["R034"], pays: 1 }, async (ctx) => {
  const answer = await ctx.send("createCardTransaction", { body: OPTIONAL_FIELDS });
  await expectOptionalPartsAccepted(ctx, answer);
});

/** None of these is the number of any card: the check digit is wrong, or the length or the letters are. */
const IMPOSSIBLE_CARDS = [
  { name: "check-digit-wrong", field: "cardNumber", value: "4111111111111112" },
  { name: "number-of-12-digits", field: "cardNumber", value: "411111111111" },
  { name: "number-of-20-digits", field: "cardNumber", value: "41111111111111111111" },
  { name: "number-with-letters", field: "cardNumber", value: "4111abcd11111111" },
  { name: "month-0", field: "expiryMonth", value: "0" },
  { name: "month-13", field: "expiryMonth", value: "13" },
] as const;

for (const { name, field, value } of IMPOSSIBLE_CARDS) {
  shouldRejectCritically(
    `createCardTransaction/${name}`,
    "practice",
    { what: `${field} is impossible (${name})`, field },
    (ctx) => {
      ctx.needProbeWrites();
      const body = { [field]: cardField(ctx.values, value) };
      return sendsInvalid("createCardTransaction", { body })(ctx);
    },
  );
}

shouldRejectCritically(
  "createCardTransaction/year-past",
  "practice",
  { what: "the card expired in 2020", field: "expiryYear" },
  (ctx) => {
    ctx.needProbeWrites();
    const year = ctx.values.CARD_EXPIRY_YEAR?.length === 2 ? "20" : "2020";
    const body = { expiryYear: cardField(ctx.values, year) };
    return sendsInvalid("createCardTransaction", { body })(ctx);
  },
);

for (const cvv of ["12", "12345"]) {
  shouldReject(`createCardTransaction/cvv-of-${cvv.length}-digits`, "practice", {
    change: ({ values }) => ({ body: { cvv: cardField(values, cvv) } }),
    what: `cvv has ${cvv.length} digits`,
    field: "cvv",
  });
}

check(
  "createCardTransaction/declining-card",
  "TITLE",
  { critical: "N40", pays: 1, probe: true },
  async (ctx) => {
    const cardNumber = cardField(ctx.values, ctx.need("DECLINING_CARD_NUMBER"));
    const answer = await sendTolerated(ctx, "createCardTransaction", { body: { cardNumber } });
    ctx.observe("N40", `a payment with the declining test card ${handlingOf(answer)}`);
    expectNoCrash(answer, "a card is declined");
  },
);

checkAmounts("createCardTransaction", [...NOT_POSITIVE, ...OUT_OF_SCALE]);
checkOverflow("createCardTransaction");

check("createCardTransaction/masked-number", "TITLE", { should: "PCI 3.4.1" }, async (ctx) => {
  const answer = await requireControl(ctx, "createCardTransaction");
  const shown = overexposed(answer.text, ctx.need("CARD_NUMBER"));
  if (shown)
    throw new Violation(
      answer,
      `masks the card number and shows ${shown.first} digits of its beginning and ${shown.last} of its end`,
      "at most the first 8 and the last 4",
    );
});

check("createCardTransaction/payment-details", "TITLE", { observe: "N13" }, async (ctx) => {
  const answer = await requireControl(ctx, "createCardTransaction");
  ctx.observe("N13", `paymentDetails is ${membersOf(answer.field("paymentDetails"))}`);
});

observeStatus("createCardTransaction", "N19");
rejectsWithoutIdentifier("createCardTransaction", "N19");

/** A card value in the JSON type that this deployment takes; section 4.3 does not document it. */
const cardField = ({ CARD_AS_NUMBERS }: Pick<Values, "CARD_AS_NUMBERS">, text: string) =>
  CARD_AS_NUMBERS ? asNumber(text) : text;
