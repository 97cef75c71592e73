import { Inconclusive, unsuitableVariable } from "../../fixtures/engine/http/findings.ts";
import { dateIn } from "../../fixtures/engine/http/invented.ts";
import { bodySent } from "../../fixtures/engine/http/sent.ts";
import { outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { observes, shouldReject } from "../../fixtures/engine/judge/check-families.ts";
import { sendAccepted } from "../../fixtures/engine/judge/expect-accepted.ts";
import { expectOptionalFields } from "../../fixtures/engine/judge/optional-fields.ts";
import { check } from "../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { fieldDefect } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { observeMembers, refusesTaken } from "../every-operation/families.ts";

const ID = "createDiscountCode";
const { noun } = contract[ID];

const OPTIONAL_FIELDS = `accepts ${noun} with every optional field`;
check("createDiscountCode/optional-fields", OPTIONAL_FIELDS, { must: ["R014", "R093"] }, (ctx) => {
  ctx.need("PRODUCT_ID");
  return expectOptionalFields(ctx, ID);
});

refusesTaken(ID, "code", "practice");
observeMembers(`${ID}/record`, "N05", "data", `data of ${noun}`);

const LISTED_AT_ONCE = "whether the next request lists a new discount code";
check("createDiscountCode/listed-at-once", LISTED_AT_ONCE, { observe: "G17", probe: true }, async (ctx) => {
  const response = await ctx.send(ID, {}, { retry: false });
  if (!response.isSuccess)
    throw new Inconclusive(`${outcomeOf(response)}: there is no new code`, `${ID}/accepted`);
  const { code } = bodySent(response);
  const list = await sendAccepted(ctx, "listDiscountCodes", { query: { code } });
  const isListed = list.text.toLowerCase().includes(String(code).toLowerCase());
  ctx.observe("G17", `a new discount code is ${isListed ? "" : "not "}listed by the next request`);
});

for (const [field, name, value] of [
  ["value", "negative", -1],
  ["value", "zero", 0],
  ["maxClaims", "negative", -1],
  ["maxClaims", "fraction", 1.5],
] as const)
  shouldReject(`createDiscountCode/${field}-${name}`, "G02", fieldDefect(field, value));

const ABOVE_100 = { body: { value: 101 } };
observes("createDiscountCode/maxClaims-zero", "G02", `${noun} whose maxClaims is 0`, {
  body: { maxClaims: 0 },
});
observes(
  "createDiscountCode/percentage-above-100",
  "G02",
  `${noun} of 101 percent`,
  ABOVE_100,
  needPercentage,
);

shouldReject("createDiscountCode/dates-reversed", "practice", {
  change: ({ values: { DISCOUNT_DATE_FORMAT: form } }) => ({
    body: { startDate: dateIn(30, form), endDate: dateIn(1, form) },
  }),
  what: "endDate is before startDate",
  field: "endDate",
});

observes("createDiscountCode/active-and-deleted", "N40", `${noun} that is active and deleted`, {
  body: { isActive: true, isDelete: true },
});
// Section 4.19 writes the name of this field with a trailing colon.
observes("createDiscountCode/productId-with-colon", "G08", `${noun} with the field "productId:"`, (ctx) => ({
  body: { "productId:": ctx.values.PRODUCT_ID ?? 1 },
}));

function needPercentage(ctx: CheckContext) {
  if (!/percent|%/i.test(ctx.need("DISCOUNT_TYPE")))
    throw unsuitableVariable("DISCOUNT_TYPE", "a percentage: 101 is an ordinary value of any other type");
}
