import { cardField } from "../../fixtures/build.ts";
import { acceptedControl, judgeOptionalParts } from "../../fixtures/control.ts";
import { membersOf } from "../../fixtures/exchanged.ts";
import { basisOf, explore, handlingOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { attempts, discourages, discouragesCritically } from "../../fixtures/leeway-checks.ts";
import { check } from "../../fixtures/test.ts";
import { violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { checkAmounts, checkOverflow, NOT_POSITIVE, OUT_OF_SCALE } from "./amounts.ts";
import { overexposed } from "./masked-number.ts";
import { observeStatus, refusesWithoutIdentifier } from "./observations.ts";
import { OPTIONAL_FIELDS } from "./optional-fields.ts";

check(
  "createCardTransaction/accepted",
  { level: "MUST", requirements: contract.createCardTransaction.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "createCardTransaction", { suspects: ["CARD_AS_NUMBERS"] }),
);

check(
  "createCardTransaction/optional-fields",
  { level: "MUST", requirements: ["R034"], pays: 1 },
  async (bench) => {
    const answer = await bench.send("createCardTransaction", { body: OPTIONAL_FIELDS });
    await judgeOptionalParts(bench, "createCardTransaction", answer);
  },
);

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
  discouragesCritically(
    `createCardTransaction/${name}`,
    { source: "practice" },
    { what: `${field} is impossible (${name})`, field },
    (bench) => {
      bench.needProbeWrites();
      const body = { [field]: cardField(bench.values, value) };
      return attempts("createCardTransaction", { body })(bench);
    },
  );
}

discouragesCritically(
  "createCardTransaction/year-past",
  { source: "practice" },
  { what: "the card expired in 2020", field: "expiryYear" },
  (bench) => {
    bench.needProbeWrites();
    const year = bench.values.CARD_EXPIRY_YEAR?.length === 2 ? "20" : "2020";
    const body = { expiryYear: cardField(bench.values, year) };
    return attempts("createCardTransaction", { body })(bench);
  },
);

for (const cvv of ["12", "12345"]) {
  discourages(
    `createCardTransaction/cvv-of-${cvv.length}-digits`,
    { source: "practice" },
    {
      change: ({ values }) => ({ body: { cvv: cardField(values, cvv) } }),
      what: `cvv has ${cvv.length} digits`,
      field: "cvv",
    },
  );
}

check(
  "createCardTransaction/declining-card",
  { level: "SHOULD", critical: true, source: "N40", pays: 1, probe: true },
  async (bench) => {
    const cardNumber = cardField(bench.values, bench.need("DECLINING_CARD_NUMBER"));
    const answer = await explore(bench, "createCardTransaction", { body: { cardNumber } });
    bench.observe("N40", `a payment with the declining test card ${handlingOf(answer)}`);
    judgeNoBreakdown(answer, "a card is declined");
  },
);

checkAmounts("createCardTransaction", [...NOT_POSITIVE, ...OUT_OF_SCALE]);
checkOverflow("createCardTransaction");

check("createCardTransaction/masked-number", { level: "SHOULD", source: "PCI 3.4.1" }, async (bench) => {
  const answer = await basisOf(bench, "createCardTransaction");
  const shown = overexposed(answer.text, bench.need("CARD_NUMBER"));
  if (shown)
    throw violation(
      answer,
      `masks the card number and shows ${shown.first} digits of its beginning and ${shown.last} of its end`,
      "at most the first 8 and the last 4",
    );
});

check("createCardTransaction/payment-details", { level: "OBSERVE", source: "N13" }, async (bench) => {
  const answer = await basisOf(bench, "createCardTransaction");
  bench.observe("N13", `paymentDetails is ${membersOf(answer.field("paymentDetails"))}`);
});

observeStatus("createCardTransaction", "N19");
refusesWithoutIdentifier("createCardTransaction", { source: "N19" });
