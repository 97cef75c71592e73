import { Inconclusive, NotTested, Violation } from "../../fixtures/http/findings.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { membersOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { observes, shouldReject } from "../../fixtures/judge/check-families.ts";
import { expectOptionalPartsAccepted, sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { expectDistinctReferences } from "../../fixtures/judge/references.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { dateIn } from "./dates.ts";
import { productCode } from "./product-code.ts";

const ID = "createDiscountCode";

check("createDiscountCode/optional-fields", "TITLE", { must: ["R014", "R093"] }, async (ctx) => {
  const answer = await productCode(ctx);
  ctx.note(answer);
  // The format of dates is not shown (G16), so that a guessed one may be the reason.
  const isAboutDates = ctx.values.DISCOUNT_DATE_FORMAT === undefined && /date/i.test(answer.text);
  await expectOptionalPartsAccepted(ctx, answer, {
    ...(isAboutDates && { afterAccepted: false }),
    suspects: ["PRODUCT_ID", "DISCOUNT_DATE_FORMAT"],
  });
});

check("createDiscountCode/references-differ", "TITLE", { should: ["R094"] }, async (ctx) => {
  const other = await productCode(ctx);
  ctx.note(other);
  expectDistinctReferences(await requireControl(ctx, ID), other);
});

check("createDiscountCode/code-repeated", "TITLE", { should: "practice" }, async (ctx) => {
  const { code } = bodySent(await requireControl(ctx, ID));
  const answer = await sendTolerated(ctx, ID, { body: { code } }, { planned: true });
  expectNoCrash(answer, "a code is created a second time");
  if (answer.looksAccepted)
    throw new Violation(answer, `${outcomeOf(answer)} when a code is created a second time`, "a refusal");
});

check("createDiscountCode/record", "TITLE", { observe: "N05" }, async (ctx) => {
  const answer = await requireControl(ctx, ID);
  ctx.observe("N05", `data of a created discount code is ${membersOf(answer.field("data"))}`);
});

check("createDiscountCode/listed-at-once", "TITLE", { observe: "G17", probe: true }, async (ctx) => {
  const answer = await ctx.send(ID);
  if (!answer.isSuccess)
    throw new Inconclusive(`${outcomeOf(answer)}: there is no new code`, `${ID}/accepted`);
  const { code } = bodySent(answer);
  const list = await sendAccepted(ctx, "listDiscountCodes", { query: { code } });
  const isListed = list.text.toLowerCase().includes(String(code).toLowerCase());
  ctx.observe("G17", `a new discount code is ${isListed ? "" : "not "}listed by the next request`);
});

const ODD_VALUES = [
  { name: "value-negative", body: { value: -1 }, field: "value" },
  { name: "value-zero", body: { value: 0 }, field: "value" },
  { name: "maxClaims-zero", body: { maxClaims: 0 }, field: "maxClaims" },
  { name: "maxClaims-negative", body: { maxClaims: -1 }, field: "maxClaims" },
  { name: "maxClaims-fraction", body: { maxClaims: 1.5 }, field: "maxClaims" },
] as const;

for (const { name, body, field } of ODD_VALUES) {
  shouldReject(`createDiscountCode/${name}`, "G02", {
    change: { body },
    what: `${field} is ${Object.values(body)[0]}`,
    field,
  });
}

shouldReject(
  "createDiscountCode/percentage-above-100",
  "G02",
  { change: { body: { value: 101 } }, what: "a percentage is 101", field: "value" },
  { before: needPercentage },
);

shouldReject("createDiscountCode/dates-reversed", "practice", {
  change: ({ values }) => ({
    body: {
      startDate: dateIn(30, values.DISCOUNT_DATE_FORMAT),
      endDate: dateIn(1, values.DISCOUNT_DATE_FORMAT),
    },
  }),
  what: "endDate is before startDate",
  field: "endDate",
});

observes("createDiscountCode/active-and-deleted", "N40", "a code that is active and deleted", {
  body: { isActive: true, isDelete: true },
});
// The reference writes the name of this field with a trailing colon.
observes("createDiscountCode/productId-with-colon", "G08", "a code with the field productId:", (ctx) => ({
  body: { "productId:": ctx.values.PRODUCT_ID ?? 1 },
}));

function needPercentage(ctx: CheckContext) {
  if (!/percent|%/i.test(ctx.need("DISCOUNT_TYPE")))
    throw new NotTested("variable", "DISCOUNT_TYPE is no percentage, so 101 is nothing odd", [
      "DISCOUNT_TYPE",
    ]);
}
