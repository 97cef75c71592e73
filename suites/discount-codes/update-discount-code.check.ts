import { type CheckContext, candidates, scalars, skip, valueAt } from "../../fixtures/engine/vocabulary.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { identifiersOf, placeOf } from "./named-code.ts";

const ID = "updateDiscountCode";

rejectsOtherMerchant(ID, {
  what: "the discount code is another merchant's",
  requirement: "R068",
  send: async (ctx) => {
    await ctx.ordinary(ID);
    await needOwnCode(ctx);
    return ctx.other.send(ID, {}, { retry: false });
  },
});

/**
 * Throws `NotTested` unless the update names a code that the merchant under test has and the other one has not: how a
 * code is identified is undocumented (N28), and two merchants may have a code of the same name.
 */
async function needOwnCode(ctx: CheckContext) {
  const [own, others] = await Promise.all(
    [ctx, ctx.other].map((merchant) => merchant.send("listDiscountCodes")),
  );
  const { query, body } = ctx.draft(ID);
  const named = [...scalars(query), ...scalars(body)].flatMap(([, value]) =>
    typeof value === "string" && own?.text.includes(JSON.stringify(value)) ? [JSON.stringify(value)] : [],
  );
  const shown = others?.isSuccess ? others.text : undefined;
  if (shown !== undefined && named.some((text) => !shown.includes(text))) return;
  const [items, foreign] = [own, others].map((list) => candidates(list?.json).flatMap((one) => one.items));
  const isOwn = ([name, value]: readonly [string, unknown]) => {
    const place = placeOf(items ?? [], name, value);
    return place !== undefined && foreign?.every((item) => String(valueAt(item, place)) !== String(value));
  };
  if (shown !== undefined && identifiersOf(ctx).some(isOwn)) return;
  skip("DISCOUNT_UPDATE names no code that only the list of the merchant under test shows");
}
