import {
  type CheckContext,
  checksUnder,
  demand,
  demandDone,
  observes,
  rejects,
  skip,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { plural } from "../../reports/wording.ts";
import { fieldDefect } from "../../schemas/operation.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { keepsEveryPart } from "../every-operation/repeats/race.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { newcomers, nextPage, productIds, unspentAddition } from "./products.ts";

const ID = "addPageProducts";
const LIST = "listPageProducts";
const check = checksUnder(ID);
const checkRepeats = checksUnder(ID, "repeats");

rejects(
  `${ID}/page-unknown`,
  { must: ["R066", "R110"] },
  { ...fieldDefect("pageId", UNKNOWN_ID, "no page has this pageId"), status: 400 },
);

rejectsOtherMerchant(ID, {
  what: "page and products are another merchant's",
  requirement: "R066",
});

observes(`${ID}/repeated`, "N40", "a second request to add the same products", {});

const products = (ctx: CheckContext) => ctx.need("PRODUCT_IDS").split(",");

oddValues(ID, {
  rejected: [
    ["productIds-empty", ["R064"], { productIds: "" }, "productIds is empty"],
    ["productIds-with-gap", ["R064"], withGap, "productIds has an empty entry"],
    ["productIds-letters", ["R064"], { productIds: "a,b" }, "productIds has letters"],
    ["productIds-unknown", ["R064"], { productIds: `${UNKNOWN_ID}` }, "no product has the id in productIds"],
    ["pageId-omitted", ["R064"], { pageId: undefined }],
    ["productIds-omitted", ["R064"], { productIds: undefined }],
  ],
  // biome-ignore format: a table
  open: [
    ["productIds-array", "N40", "productIds as an array", (ctx) => ({ productIds: products(ctx) })],
  ],
});

function withGap(ctx: CheckContext) {
  const [product] = products(ctx);
  return { productIds: `${product},,${product}` };
}

const LAST_UNKNOWN = "the last of several products does not exist";

// Before any product was added: later, the page has the valid ones anyway.
check(
  "rejections/leave-nothing",
  `adds nothing when it refuses a request because ${LAST_UNKNOWN}`,
  { phase: "first", critical: "practice" },
  async (ctx) => {
    const before = await ctx.ordinary(LIST);
    const { draft, onAccepted } = unspentAddition(ctx);
    const countNew = await newcomers(ctx, before);
    const productIds = `${draft.body?.productIds},${UNKNOWN_ID}`;
    const wrong = { ...draft, body: { ...draft.body, productIds } };
    const response = await ctx.sendInvalid(ID, {}, { draft: wrong });
    if (response.statusClass === 2) {
      onAccepted?.();
      skip(`${response.outcome} although ${LAST_UNKNOWN}`);
    }
    const look = async () => {
      const list = await demandDone(ctx, await ctx.send(LIST));
      return { list, more: countNew(list) };
    };
    // A service may take back later what it did before it found the mistake.
    const { list, more } = await ctx.run.settling.until(look, (seen) => seen.more === 0);
    if (more === 0) return;
    onAccepted?.();
    if (response.kind === "crashed") undecided(`${response.outcome}, which is no rejection`);
    const actual = `lists ${plural(more, "product")} of a request that it rejected because ${LAST_UNKNOWN}`;
    demand(false, list, actual, "no trace of a rejected request", [before, response]);
  },
);

const AT_ONCE = "lists what several requests add to a page at the same moment, or right after one another";
checkRepeats("at-once", AT_ONCE, { critical: "practice", probe: true }, async (ctx) => {
  await keepsEveryPart(ctx, {
    id: ID,
    names: severalProducts(ctx),
    what: "additions of different products",
    // A page keeps what was added, so each race needs a new one.
    make: () => nextPage(ctx),
    add: (pageId, productIds, options) => ctx.send(ID, { body: { pageId, productIds } }, options),
    read: async (pageId, ids) => {
      const response = await demandDone(ctx, await ctx.send(LIST, { query: { pageId } }));
      return { response, lost: ids.filter((id) => !response.text.includes(id)) };
    },
  });
});

/** Several products; more than a few of them show no more. */
function severalProducts(ctx: CheckContext): string[] {
  const products = [...new Set(productIds(ctx))].slice(0, 5);
  if (products.length > 1) return products;
  skip("set PRODUCT_IDS to two products or more, which are added to one page by two requests", "variable", [
    "PRODUCT_IDS",
  ]);
}
