import { findsNothing } from "../../fixtures/engine/lists/list.ts";
import {
  type ApiResponse,
  type CheckContext,
  candidates,
  checksUnder,
  demand,
  demandDone,
  demandFilterAccepted,
  demandItems,
  demandNoCrash,
  isObject,
  listOf,
  observes,
  type Page,
  pathInRecord,
  sameItems,
  scalars,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { FRESH, UNKNOWN_ID } from "../../schemas/recipe.ts";
import { responseToDefect, returnsBodyIf, wrappedId } from "../every-operation/requests.ts";

const ID = "listPageProducts";
const check = checksUnder(ID);
const PAGE_UNKNOWN = { what: "no page has this pageId", change: { query: { pageId: UNKNOWN_ID } } };

const SEARCH_PRODUCT = "accepts a page-products request with searchProduct";
check("searchProduct", SEARCH_PRODUCT, { must: ["R078", "R079"] }, async (ctx) => {
  const control = await ctx.control(ID);
  // If searches are rejected, it is not known which of several lists has the products.
  const names = candidates(control.response?.json).flatMap(({ items }) => nameOf(items) ?? []);
  const known = names.length === 1 ? names[0] : undefined;
  // The specification leaves open what a search without a match returns (G14): only a known name must succeed.
  const afterAccepted = control.accepted && known !== undefined;
  const query = { searchProduct: known ?? FRESH };
  const response = await ctx.send(ID, { query });
  if (known === undefined && findsNothing(response, query))
    return demandFilterAccepted(ctx, ID, query, response);
  await demandDone(ctx, response, { afterAccepted });
});

returnsBodyIf(`${ID}/page-unknown/shape`, ["R079", "R107"], { ...PAGE_UNKNOWN, status: 400 });

check("page-unknown/status", `does not crash when ${PAGE_UNKNOWN.what}`, { should: "G14" }, async (ctx) => {
  const response = await responseToDefect(ctx, ID, PAGE_UNKNOWN);
  demandNoCrash(response, PAGE_UNKNOWN.what);
  ctx.observe("G14", `a request for the products of an unknown page ${response.fate}`);
});

const SEARCH_PRODUCT_RANDOM = "finds no product by a random searchProduct";
check("searchProduct-random", SEARCH_PRODUCT_RANDOM, { should: ["R078"] }, async (ctx) => {
  await listOf(ctx, ID).located();
  const page = await listOf(ctx, ID).page({ searchProduct: ctx.run.builder.fresh("search") });
  demandItems(page, "none", "a random searchProduct");
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

observes("listPageProducts/searchProduct-empty", "N40", "an empty searchProduct", {
  query: { searchProduct: "" },
});

/** The name of the first product itself, and not of its category, or of a group that has a list of products. */
const nameOf = (items: readonly unknown[]) =>
  textAt(
    items.filter((item) => !isGroup(item)),
    /^(product\.)?(product_?)?(name|title)$/i,
  );

/** The first text with letters whose path in a record matches. */
const textAt = (records: readonly unknown[], place: RegExp) =>
  records
    .flatMap((record) => scalars(record))
    .filter(([path]) => place.test(pathInRecord(path)))
    .map(([, value]) => String(value))
    .find((text) => /^[A-Za-z ]*[A-Za-z]{3}/.test(text));

const isGroup = (item: unknown) =>
  isObject(item) && Object.values(item).some((member) => Array.isArray(member) && member.some(isObject));
