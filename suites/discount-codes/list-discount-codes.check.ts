import {
  type ApiResponse,
  type CheckContext,
  check,
  checksUnder,
  demand,
  demandDone,
  demandFilterAccepted,
  hasInAnyCase,
  listOf,
  observes,
  sameItems,
  undecided,
  withOptionalFields,
} from "../../fixtures/engine/vocabulary.ts";
import { plural } from "../../reports/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { oneOfEachKind } from "../every-operation/values/find-made.ts";
import {
  allCodes,
  awaitCode,
  codeOf,
  codeOfProduct,
  findCode,
  read,
  requireListed,
  shownValues,
  showsCode,
} from "./codes.ts";

const ID = "listDiscountCodes";
const { noun } = contract[ID];

const WITH_PRODUCT = `accepts ${noun} with productId`;
check("listDiscountCodes/productId", WITH_PRODUCT, { must: ["R090", "R091"] }, async (ctx) => {
  const { accepted } = await ctx.control(ID);
  const response = await ctx.send(ID, { query: { productId: ctx.need("PRODUCT_ID") } });
  // Whether a filter that finds nothing returns 404 is open (G14).
  if (accepted && response.status === 404)
    undecided("returned 404", { advice: "set PRODUCT_ID to a product that has discount codes" });
  await demandDone(ctx, response, { afterAccepted: accepted });
});

observes("listDiscountCodes/productId-unknown", "G14", `${noun} for an unknown productId`, {
  query: { productId: UNKNOWN_ID },
});
observes("listDiscountCodes/limit-and-page", "G08", `${noun} with the undocumented limit and page`, {
  query: { limit: 5, page: 1 },
});

const checkAfterWrites = checksUnder(ID, "after-writes");
const should = { should: ["R090"] } as const;

checkAfterWrites("created-code-is-listed", "lists a new discount code", should, async (ctx) => {
  const code = codeOf(await demandDone(ctx, "createDiscountCode"));
  const { response, isListed } = await awaitCode(ctx, { code }, code);
  demand(isListed, response, "does not list a discount code that this run created", "the code");
});

const EACH_LISTED = "lists a discount code of each kind that the run created";
checkAfterWrites("created-codes-are-listed", EACH_LISTED, { critical: ["R090"] }, async (ctx) => {
  const first = await demandDone(ctx, "createDiscountCode");
  if (ctx.target.allow.probeWrites) await withOptionalFields(ctx, "createDiscountCode");
  // A list may leave out a code that was created as deleted.
  const staysListed = ({ bodySent }: ApiResponse) => bodySent.isDelete !== true;
  const looks = [];
  for (const one of new Set([first, ...oneOfEachKind(ctx, "createDiscountCode", staysListed)]))
    looks.push({ one, ...(await awaitCode(ctx, { code: codeOf(one) }, codeOf(one))) });
  if (!looks.some(({ isListed }) => isListed))
    undecided("the list shows no discount code of this run by its code");
  const actual = "does not list a discount code of this run, although it lists others";
  for (const { one, response, isListed } of looks)
    demand(isListed, response, actual, "every code that it accepted", [one]);
});

const FOUND = "finds at least one of its new discount codes if it finds older ones";
checkAfterWrites("created-codes-are-found", FOUND, { must: ["R090"] }, async (ctx) => {
  const created = [await demandDone(ctx, "createDiscountCode")];
  if (ctx.values.PRODUCT_ID !== undefined) created.push((await codeOfProduct(ctx)).created);
  for (const code of created.map(codeOf)) if ((await awaitCode(ctx, { code }, code)).isListed) return;
  const all = await allCodes(ctx);
  const sent = created.map(({ textSent }) => textSent).join();
  const older = shownValues(all, "code").find((code) => !sent.includes(code));
  const { items } = older === undefined ? { items: [] } : await read(ctx, { code: older });
  if (items.length === 0 || items.length === all.items.length)
    undecided("the list has no older discount code that the filter code finds");
  // A code that is stored in another letter case may be found in that one only.
  const isShown = created.some((one) => shownValues(all, "code").includes(codeOf(one)));
  const isListed = created.some((one) => hasInAnyCase(all.response.text, codeOf(one)));
  const actual = isShown
    ? "lists the discount codes that this run created, and finds older ones by their code, but none of these"
    : "lists and finds older discount codes, but none of those that this run created";
  demand(isListed && !isShown, all.response, actual, "the new codes as well");
});

const UNKNOWN = {
  code: (ctx: CheckContext) => ctx.run.builder.fresh("code"),
  productId: () => String(UNKNOWN_ID),
} as const;

const UNASKABLE = /[\p{Cc}\p{Cs}\ufffd]/u;

for (const [name, filter] of [
  ["code-filter-applied", "code"],
  ["product-filter-applied", "productId"],
] as const)
  checkAfterWrites(name, `applies the filter ${filter}`, { must: ["R090"], scope: "paging" }, async (ctx) => {
    const all = await allCodes(ctx);
    const { identity = JSON.stringify } = await listOf(ctx, ID).located();
    const unknown = UNKNOWN[filter](ctx);
    // The run itself may have made a code for an unknown product, and one that no address can hold.
    const value = shownValues(all, filter).find((one) => one !== unknown && !UNASKABLE.test(one));
    const found = `the list has ${plural(all.items.length, "discount code")}, of which ${value === undefined ? "none" : "some"} shows its ${filter}`;
    if (all.items.length < 2 || value === undefined)
      undecided(`${found}, but this check needs 2 that show it`, {
        advice: "add discount codes",
      });
    const known = await read(ctx, { [filter]: value });
    if (known.items.length === 0 && (await read(ctx, { [filter]: value })).items.length === 0)
      ctx.warn(`finds nothing for ${filter}=${value}, which a discount code of the list has`, {
        critical: true,
        response: known.response,
      });
    const none = await read(ctx, { [filter]: unknown });
    const isIgnored = none.items.length > 1 && sameItems(known.items, none.items, identity);
    const actual = `lists the same ${plural(none.items.length, "discount code")} for a ${filter} that exists and for one that does not`;
    demand(!isIgnored, none.response, actual, `only the codes with the ${filter} that is asked for`);
  });

checkAfterWrites(
  "other-merchant",
  "lists no discount code of another merchant",
  { critical: "G18" },
  async (ctx) => {
    const { authorization, profile } = ctx.other;
    const code = codeOf(await demandDone(ctx, "createDiscountCode"));
    await requireListed(ctx, { code }, code);
    await profile();
    // The whole list may be cut short, so the code is also asked for by name.
    for (const query of [{}, { code }]) {
      const { response, isListed } = await findCode(ctx, query, code, { authorization });
      demand(!isListed, response, "lists a discount code of another merchant", "only the key's own codes");
    }
  },
);

checkAfterWrites("filters-accepted", "accepts the filter code", { must: ["R090", "R091"] }, async (ctx) => {
  const code = codeOf(await demandDone(ctx, "createDiscountCode"));
  // A code may be stored in another letter case, and then a filter finds nothing.
  await demandFilterAccepted(ctx, ID, { code });
});

checkAfterWrites("product-code-is-listed", "lists a code under its productId", should, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  await requireListed(ctx, { code }, code);
  const all = await awaitCode(ctx, { productId }, code);
  if (all.isListed) return;
  // A product may have too many codes for one response.
  const response = await demandDone(ctx, await ctx.send(ID, { query: { productId, code } }));
  const isListed = await showsCode(ctx, response, code);
  demand(isListed, response, "does not list a discount code of this run under its productId", "the code");
});

const BOTH = "lists only codes that match both productId and code";
checkAfterWrites("filters-combined", BOTH, should, async (ctx) => {
  const { productId, code } = await codeOfProduct(ctx);
  const query = { productId, code };
  await requireListed(ctx, query, code);
  for (const field of ["productId", "code"] as const) {
    const { response, isListed } = await findCode(ctx, { ...query, [field]: UNKNOWN[field](ctx) }, code);
    const actual = `lists a discount code with another ${field} than the query, which has productId and code`;
    demand(!isListed, response, actual, "only codes that match the query");
  }
});
