import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess, looksCarriedOut } from "../../fixtures/classify.ts";
import { acceptedControl, judgeOptionalParts } from "../../fixtures/control.ts";
import { bodySent, membersOf } from "../../fixtures/exchanged.ts";
import { Inconclusive, NotTested } from "../../fixtures/findings.ts";
import { basisOf, explore, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { discourages, observes } from "../../fixtures/leeway-checks.ts";
import { accepted } from "../../fixtures/positive.ts";
import { judgeReferencesDiffer } from "../../fixtures/references.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { dateIn } from "./dates.ts";
import { productCode } from "./product-code.ts";

const ID = "createDiscountCode";

check(
  "createDiscountCode/accepted",
  { level: "MUST", requirements: contract.createDiscountCode.requirements.success },
  (bench) => acceptedControl(bench, ID),
);

check(
  "createDiscountCode/optional-fields",
  { level: "MUST", requirements: ["R014", "R093"] },
  async (bench) => {
    const answer = await productCode(bench);
    bench.note(answer);
    // The format of dates is not shown (G16), so that a guessed one may be the reason.
    const isAboutDates = bench.values.DISCOUNT_DATE_FORMAT === undefined && /date/i.test(answer.text);
    await judgeOptionalParts(bench, ID, answer, {
      ...(isAboutDates && { afterAccepted: false }),
      suspects: ["PRODUCT_ID", "DISCOUNT_DATE_FORMAT"],
    });
  },
);

check("createDiscountCode/references-differ", { level: "SHOULD", requirements: ["R094"] }, async (bench) => {
  const other = await productCode(bench);
  bench.note(other);
  judgeReferencesDiffer(await basisOf(bench, ID), other);
});

check("createDiscountCode/code-repeated", { level: "SHOULD", source: "practice" }, async (bench) => {
  const { code } = bodySent(await basisOf(bench, ID));
  const answer = await explore(bench, ID, { body: { code } }, { planned: true });
  judgeNoBreakdown(answer, "a code is created a second time");
  if (looksCarriedOut(answer))
    throw violation(answer, `${outcomeOf(answer)} when a code is created a second time`, "a refusal");
});

check("createDiscountCode/record", { level: "OBSERVE", source: "N05" }, async (bench) => {
  const answer = await basisOf(bench, ID);
  bench.observe("N05", `data of a created discount code is ${membersOf(answer.field("data"))}`);
});

check(
  "createDiscountCode/listed-at-once",
  { level: "OBSERVE", source: "G17", probe: true },
  async (bench) => {
    const answer = await bench.send(ID);
    if (!isSuccess(answer))
      throw new Inconclusive(`${outcomeOf(answer)}: there is no new code`, `${ID}/accepted`);
    const { code } = bodySent(answer);
    const list = await accepted(bench, "listDiscountCodes", { query: { code } });
    const isListed = list.text.toLowerCase().includes(String(code).toLowerCase());
    bench.observe("G17", `a new discount code is ${isListed ? "" : "not "}listed by the next request`);
  },
);

const ODD_VALUES = [
  { name: "value-negative", body: { value: -1 }, field: "value" },
  { name: "value-zero", body: { value: 0 }, field: "value" },
  { name: "maxClaims-zero", body: { maxClaims: 0 }, field: "maxClaims" },
  { name: "maxClaims-negative", body: { maxClaims: -1 }, field: "maxClaims" },
  { name: "maxClaims-fraction", body: { maxClaims: 1.5 }, field: "maxClaims" },
] as const;

for (const { name, body, field } of ODD_VALUES) {
  discourages(
    `createDiscountCode/${name}`,
    { source: "G02" },
    { change: { body }, what: `${field} is ${Object.values(body)[0]}`, field },
  );
}

discourages(
  "createDiscountCode/percentage-above-100",
  { source: "G02" },
  { change: { body: { value: 101 } }, what: "a percentage is 101", field: "value" },
  { before: needPercentage },
);

discourages(
  "createDiscountCode/dates-reversed",
  { source: "practice" },
  {
    change: ({ values }) => ({
      body: {
        startDate: dateIn(30, values.DISCOUNT_DATE_FORMAT),
        endDate: dateIn(1, values.DISCOUNT_DATE_FORMAT),
      },
    }),
    what: "endDate is before startDate",
    field: "endDate",
  },
);

observes("createDiscountCode/active-and-deleted", "N40", "a code that is active and deleted", {
  body: { isActive: true, isDelete: true },
});
// The reference writes the name of this field with a trailing colon.
observes("createDiscountCode/productId-with-colon", "G08", "a code with the field productId:", (bench) => ({
  body: { "productId:": bench.values.PRODUCT_ID ?? 1 },
}));

function needPercentage(bench: Bench) {
  if (!/percent|%/i.test(bench.need("DISCOUNT_TYPE")))
    throw new NotTested("variable", "DISCOUNT_TYPE is no percentage, so 101 is nothing odd", [
      "DISCOUNT_TYPE",
    ]);
}
