import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  countCommon,
  demand,
  demandDone,
  demandFilterAccepted,
  demandItems,
  findsNothing,
  ifDecided,
  listOf,
  observes,
  type Page,
  sameItems,
  skip,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { plural } from "../../reports/wording.ts";
import { FRESH, UNKNOWN_ID } from "../../schemas/recipe.ts";
import { responseToDefect, wrappedId } from "../every-operation/requests.ts";
import { nameOf, onlyNameIn, productIds } from "./products.ts";

const ID = "listPageProducts";
const check = checksUnder(ID);
const PAGE_UNKNOWN = { what: "no page has this pageId", change: { query: { pageId: UNKNOWN_ID } } };

const SEARCH_PRODUCT = "accepts a page-products request with searchProduct";
check("searchProduct", SEARCH_PRODUCT, { must: ["R078", "R079"] }, async (ctx) => {
  const control = await ctx.control(ID);
  const known = onlyNameIn(control.response?.json);
  // The specification leaves open what a search without a match returns (G14): only a known name must succeed.
  const afterAccepted = control.accepted && known !== undefined;
  const query = { searchProduct: known ?? FRESH };
  const response = await ctx.send(ID, { query });
  if (known === undefined && findsNothing(response, query))
    return demandFilterAccepted(ctx, ID, query, response);
  await demandDone(ctx, response, { afterAccepted });
});

const OF_UNKNOWN = "handling of a request for the products of an unknown page";
check("page-unknown", OF_UNKNOWN, { observe: "G14" }, async (ctx) => {
  const { fate } = await responseToDefect(ctx, ID, PAGE_UNKNOWN);
  ctx.observe("G14", `a request for the products of an unknown page ${fate}`);
});

check("searchProduct-finds", "finds a product of the page by its name", { should: ["R078"] }, async (ctx) => {
  const { items } = await ownProducts(ctx);
  const searchProduct = nameOf(items);
  if (searchProduct === undefined)
    undecided("no product on the page has a name to search by", {
      advice: "add a product with a name",
    });
  const page = await listOf(ctx, ID).page({ searchProduct });
  demandItems(page, "some", "the name of a product on the page", "the product with that name");
});

const ON_PAGE = "finds only products of the page by a searchProduct";
check("search-stays-on-page", ON_PAGE, { critical: ["R078"] }, async (ctx) => {
  await ownProducts(ctx);
  const identity = await listOf(ctx, ID).identity();
  // Most names have one of these letters.
  for (const searchProduct of ["a", "e", "o"]) {
    const found = await ifDecided(listOf(ctx, ID).page({ searchProduct }));
    if (!found) continue;
    // A page that was read before the search may lack what was added meanwhile.
    const own = await listOf(ctx, ID).page({});
    const further = found.items.length - countCommon(own.items, found.items, identity);
    if (further > 0) expectWhole(own.items);
    const actual = `found ${plural(further, "product")} for ${searchProduct} that the page does not list`;
    demand(further <= 0, found.response, actual, "products of the page", [own.response]);
  }
});

const OTHER_MERCHANT = "hides the products of a page from another merchant";
check("other-merchant", OTHER_MERCHANT, { critical: "G18" }, async (ctx) => {
  const { other } = ctx;
  const { response: own, items } = await ownProducts(ctx);
  const products = items.map((item) => JSON.stringify(item));
  const name = nameOf(items);
  // A search may take another path through the service, where the owner of the page is not checked.
  for (const query of [{}, ...(name === undefined ? [] : [{ searchProduct: name }])]) {
    const response = await other.send(ID, { query });
    const { items: shown } = await listOf(ctx, ID).itemsOf(response);
    const isShown = shown.length > 0 && shown.every((item) => products.includes(JSON.stringify(item)));
    demand(!isShown, response, "returned the products of another merchant's page", "no products", [own]);
  }
});

const WRAPPED = "shows no products of a page under its pageId plus 2^32";
check("pageId-wrapped", WRAPPED, { critical: "G14" }, async (ctx) => {
  const { response: own, items } = await ownProducts(ctx);
  const isShown = async (other: ApiResponse) => {
    const page = await listOf(ctx, ID).itemsOf(other);
    return page.items.length > 0 && sameItems(page.items, items, JSON.stringify);
  };
  const response = await ctx.send(ID, { query: { pageId: wrappedId(ctx.need("PAGE_ID")) } });
  if (!(await isShown(response))) return;
  if (await isShown(await responseToDefect(ctx, ID, PAGE_UNKNOWN)))
    undecided("a page that does not exist has the same products");
  demand(false, response, "returned the products of another page", "no products", [own]);
});

/** What the page lists; throws `NotTested` if it is empty. The ordinary request may be older than its products. */
async function ownProducts(ctx: CheckContext): Promise<Page> {
  await ctx.ordinary(ID);
  return listOf(ctx, ID).first();
}

/** Throws `Inconclusive` for a round number of products, at which the API may cut the list. */
function expectWhole({ length }: readonly unknown[]) {
  if (length >= 10 && length % 5 === 0)
    undecided(`the page lists ${length} products, perhaps the most that the API shows`, {
      advice: "name a page with fewer products in PAGE_ID",
    });
}

observes("listPageProducts/searchProduct-empty", "N40", "an empty searchProduct", {
  query: { searchProduct: "" },
});

const checkAfterWrites = checksUnder(ID, "after-writes");
const should = { should: ["R064", "R078"] } as const;

const read = async (ctx: CheckContext) =>
  demandDone(ctx, await ctx.send(ID, { query: { pageId: ctx.need("PAGE_ID") } }));

const JOINED = "keeps the earlier products of a page when others are added";
checkAfterWrites("added-products-join-the-others", JOINED, should, async (ctx) => {
  const before = await demandDone(ctx, ID);
  const added = await demandDone(ctx, "addPageProducts");
  if (before.startedAt > added.startedAt)
    undecided("the products were added before they were first listed: nothing to compare with");
  const { itemsIn } = await listOf(ctx, ID).located();
  const identity = await listOf(ctx, ID).identity();
  const others = itemsIn(before.json);
  if (others.length === 0)
    skip("the page had no products before: addPageProducts/at-once adds to a new page step by step");
  const response = await read(ctx);
  const lost = others.length - countCommon(itemsIn(response.json), others, identity);
  const actual = `no longer lists ${lost} of the ${others.length} products that the page had before others were added`;
  demand(lost <= 0, response, actual, "the earlier products and the added ones", [before, added]);
});

// A page without the added products may show other ids than theirs, but it must show something new.
const NEW = "lists something new after products were added to a page that lists others";
checkAfterWrites("added-products-are-found", NEW, { must: ["R064", "R078"] }, async (ctx) => {
  const before = await demandDone(ctx, ID);
  const added = await demandDone(ctx, "addPageProducts");
  const { itemsIn, identity } = await listOf(ctx, ID).located();
  const others = itemsIn(before.json);
  const products = productIds(ctx);
  // An earlier run may have added them.
  if (products.some((id) => before.text.includes(id))) return;
  if (before.startedAt > added.startedAt)
    undecided("the products were on the page before it was first listed: nothing to compare with");
  const noneToTellApart = () =>
    undecided("the page lists no products that can be told apart", {
      advice: "add some, and name the page in PAGE_ID",
    });
  if (!identity) return noneToTellApart();
  const isShown = ({ json, text }: ApiResponse) => {
    const items = itemsIn(json);
    return items.length > countCommon(others, items, identity) || products.some((id) => text.includes(id));
  };
  const response = await ctx.run.settling.until(() => read(ctx), isShown);
  if (isShown(response)) return;
  if (others.length === 0) return noneToTellApart();
  expectWhole(others);
  const { spent } = await ctx.control("addPageProducts");
  if (spent) throw spent;
  const actual = `lists the same ${others.length} products as before, although it accepted more`;
  demand(false, response, actual, "the added products as well");
});
