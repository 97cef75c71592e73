import { Inconclusive } from "../../fixtures/engine/http/findings.ts";
import { bodySent } from "../../fixtures/engine/http/sent.ts";
import { handlingOf } from "../../fixtures/engine/http/wording.ts";
import { acceptedControl, sendAccepted } from "../../fixtures/engine/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/engine/judge/matchers.ts";
import { expectFilterAccepted, sendTolerated } from "../../fixtures/engine/judge/tolerated.ts";
import { checksUnder } from "../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { secondMerchant } from "../../fixtures/engine/run/control.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { hasInAnyCase } from "../every-operation/values/shown-values.ts";
import {
  allCodes,
  awaitCode,
  codeOf,
  codeOfProduct,
  expectFilterApplied,
  expectListedAsSent,
  findCode,
  findsOlderCode,
  isAmongItems,
  requireListed,
} from "./listed-codes.ts";

const LIST = "listDiscountCodes";
const check = checksUnder(LIST);
const should = { should: ["R090"] } as const;

check("created-code-is-listed", "lists a new discount code", should, async (ctx) => {
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  const { answer, isListed } = await awaitCode(ctx, { code }, code);
  expectThat(isListed, answer, "does not list a discount code that this run created", "the code");
});

const CREATED_CODES_ARE_FOUND = "finds at least one of its new discount codes if it finds older ones";
check("created-codes-are-found", CREATED_CODES_ARE_FOUND, { must: ["R090"] }, async (ctx) => {
  const created = [await acceptedControl(ctx, "createDiscountCode")];
  if (ctx.values.PRODUCT_ID !== undefined) created.push((await codeOfProduct(ctx)).created);
  for (const code of created.map(codeOf)) if ((await awaitCode(ctx, { code }, code)).isListed) return;
  if (!(await findsOlderCode(ctx, created)))
    throw new Inconclusive("the list has no older discount code that the filter code finds");
  const { answer } = await allCodes(ctx);
  const isListed = created.some((one) => hasInAnyCase(answer.text, codeOf(one)));
  const actual = "lists and finds older discount codes, but none of those that this run created";
  expectThat(isListed, answer, actual, "the new codes as well");
});

for (const [name, filter, unknown] of [
  ["code-filter-applied", "code", (ctx: CheckContext) => ctx.run.builder.fresh()],
  ["product-filter-applied", "productId", () => String(UNKNOWN_ID)],
] as const)
  check(`${name}`, `applies the filter ${filter}`, { must: ["R090"], scope: "paging" }, (ctx) =>
    expectFilterApplied(ctx, filter, unknown(ctx)),
  );

const OTHER_MERCHANT = "lists no discount code of another merchant";
check("other-merchant", OTHER_MERCHANT, { critical: "G18" }, async (ctx) => {
  const { authorization, needAccepted } = secondMerchant(ctx);
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  await requireListed(ctx, { code }, code);
  await needAccepted();
  // The whole list may be cut short, so the code is also asked for by name.
  for (const query of [{}, { code }]) {
    const { answer, isListed } = await findCode(ctx, query, code, { authorization });
    expectThat(!isListed, answer, "lists a discount code of another merchant", "only the key's own codes");
  }
});

const FILTERS_ACCEPTED = "accepts the filter code";
check("filters-accepted", FILTERS_ACCEPTED, { must: ["R090", "R091"] }, async (ctx) => {
  const code = codeOf(await acceptedControl(ctx, "createDiscountCode"));
  // A code may be stored in another letter case, and then a filter finds nothing.
  await expectFilterAccepted(ctx, LIST, { code });
});

check("product-code-is-listed", "lists a code under its productId", should, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  await requireListed(ctx, { code }, code);
  const all = await awaitCode(ctx, { productId }, code);
  if (all.isListed) return;
  // A product may have too many codes for one response.
  const answer = await sendAccepted(ctx, LIST, { query: { productId, code } });
  const isListed = await isAmongItems(ctx, answer, code);
  expectThat(isListed, answer, "does not list a discount code of this run under its productId", "the code");
});

const PRODUCT_UNKNOWN = "lists no code of another product under a productId that does not exist";
check("product-unknown", PRODUCT_UNKNOWN, should, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  await requireListed(ctx, { productId }, code);
  const { answer, isListed } = await findCode(ctx, { productId: UNKNOWN_ID }, code);
  const actual = `lists the discount code of another product for productId=${UNKNOWN_ID}, as if there were no filter`;
  expectThat(!isListed, answer, actual, "no code of another product");
});

const FILTERS_COMBINED = "lists only codes that match both productId and code";
check("filters-combined", FILTERS_COMBINED, should, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  await requireListed(ctx, { productId, code }, code);
  for (const [other, query] of [
    ["productId", { productId: UNKNOWN_ID, code }],
    ["code", { productId, code: ctx.run.builder.fresh("code") }],
  ] as const) {
    const { answer, isListed } = await findCode(ctx, query, code);
    const actual = `lists a discount code with another ${other} than the query, which has productId and code`;
    expectThat(!isListed, answer, actual, "only codes that match both");
  }
});

const FIELDS_AS_SENT = "lists a discount code as it was sent";
check("fields-as-sent", FIELDS_AS_SENT, { critical: ["R090"] }, async (ctx) => {
  const created =
    ctx.values.PRODUCT_ID === undefined
      ? await acceptedControl(ctx, "createDiscountCode")
      : (await codeOfProduct(ctx)).created;
  // An API may derive from the dates whether a code is active.
  const { isActive: _, ...sent } = bodySent(created);
  await expectListedAsSent(ctx, sent);
});

const INACTIVE_CODE_AS_SENT = "lists an inactive discount code with the values that were sent";
check("inactive-code-as-sent", INACTIVE_CODE_AS_SENT, { critical: ["R090"], probe: true }, async (ctx) => {
  const body = { isActive: false, value: 7.5 };
  const created = await sendTolerated(ctx, "createDiscountCode", { body });
  if (!created.isSuccess)
    throw new Inconclusive(`an inactive discount code with a fraction ${handlingOf(created)}`);
  await expectListedAsSent(ctx, bodySent(created));
});
