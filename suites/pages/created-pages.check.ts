import { hasInAnyCase } from "../../fixtures/engine/lists/items.ts";
import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  countCommon,
  demand,
  demandDone,
  listOf,
  skip,
  undecided,
  withOptionalFields,
} from "../../fixtures/engine/vocabulary.ts";
import { oneOfEachKind } from "../every-operation/repeats/kinds.ts";
import { productIds } from "./product-ids.ts";
import { subscriptionPage } from "./subscription-page.ts";

const check = checksIn("after-writes");

const LIST = "listPageProducts";
const should = { should: ["R064", "R078"] } as const;

const read = async (ctx: CheckContext) =>
  demandDone(ctx, await ctx.send(LIST, { query: { pageId: ctx.need("PAGE_ID") } }));

const JOINED = "keeps the earlier products of a page when others are added";
check("listPageProducts/added-products-join-the-others", JOINED, should, async (ctx) => {
  const before = await demandDone(ctx, LIST);
  const added = await demandDone(ctx, "addPageProducts");
  if (before.startedAt > added.startedAt)
    undecided("the products were added before they were first listed: nothing to compare with");
  const { itemsIn } = await listOf(ctx, LIST).located();
  const identity = await listOf(ctx, LIST).identity();
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
check("listPageProducts/added-products-are-found", NEW, { must: ["R064", "R078"] }, async (ctx) => {
  const before = await demandDone(ctx, LIST);
  const added = await demandDone(ctx, "addPageProducts");
  const { itemsIn, identity } = await listOf(ctx, LIST).located();
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
  // A list may be cut at a round number of products.
  if (others.length >= 10 && others.length % 5 === 0)
    undecided(`the page lists ${others.length} products, perhaps the most that the API shows`, {
      advice: "name a page with fewer products in PAGE_ID",
    });
  const { spent } = await ctx.control("addPageProducts");
  if (spent) throw spent;
  const actual = `lists the same ${others.length} products as before, although it accepted more`;
  demand(false, response, actual, "the added products as well");
});

check("listPageProducts/added-product-is-listed", "lists products added to a page", should, async (ctx) => {
  const products = productIds(ctx);
  await demandDone(ctx, "addPageProducts");
  const missing = ({ text }: ApiResponse) => products.filter((id) => !text.includes(id));
  const response = await ctx.run.settling.until(
    () => read(ctx),
    (found) => missing(found).length === 0,
  );
  const lost = missing(response);
  const actual = `does not list the products ${lost.join(", ")}, which this run added`;
  demand(lost.length === 0, response, actual, "the products of PRODUCT_IDS");
});

const TAKEN = "reports the link of a new page as taken";
check("checkCustomLink/created-page-takes-its-link", TAKEN, { must: ["R077"] }, async (ctx) =>
  // One of several instances may know of the page before the others, so several responses in a row must agree.
  expectTaken(ctx, await demandDone(ctx, "createPaymentPage"), 4),
);

const EACH_TAKEN = "reports the link of each kind of page that the run created as taken";
check("checkCustomLink/created-pages-take-their-links", EACH_TAKEN, { must: ["R077"] }, async (ctx) => {
  await demandDone(ctx, "createPaymentPage");
  if (ctx.values.PLAN_ID !== undefined) await subscriptionPage(ctx);
  if (ctx.target.allow.probeWrites) await withOptionalFields(ctx, "createPaymentPage");
  // Where the form cannot be read, the page may be made without any field.
  const readable = ctx.run.responsesTo("createPaymentPage").filter((page) => ctx.couldRead(page));
  const pages = readable.filter((page) => {
    const link = page.partSent("customLink");
    return (
      page.isSentWith(ctx.target.secretKey) &&
      page.isSuccess &&
      link !== undefined &&
      ctx.run.builder.isInUsualForm(link)
    );
  });
  for (const page of oneOfEachKind(pages)) await expectTaken(ctx, page);
});

const CAPITALS = "checkCustomLink/created-page-takes-its-capitals";
check(CAPITALS, `${TAKEN} when it has capital letters`, { should: ["R077"], probe: true }, async (ctx) => {
  const customLink = ctx.run.builder.fresh("link").replace("cst", "Cst");
  const page = await ctx.sendTolerated("createPaymentPage", { body: { customLink } });
  // The specification does not say which characters a link may have.
  if (!page.isSuccess) undecided(`a customLink with capital letters ${page.fate}`);
  await expectTaken(ctx, page);
});

/** Demands that the link of a page of this run is taken, after SETTLE_SECONDS at the latest, in so many responses in a row. */
async function expectTaken(ctx: CheckContext, page: ApiResponse, times = 1) {
  const customLink = page.partSent("customLink") ?? "";
  const askOnce = () => ctx.send("checkCustomLink", { body: { customLink } });
  const ask = async () => {
    let response = await askOnce();
    for (let count = 1; count < times && !response.isSuccess; count += 1) response = await askOnce();
    return response;
  };
  const response = await ctx.run.settling.until(ask, ({ isSuccess }) => !isSuccess);
  if (response.failure) undecided(response.outcome);
  if (response.isSuccess && !ctx.target.settleIsPromised)
    undecided("the link of a page created in this run is still free", {
      advice: "set SETTLE_SECONDS to the time after which it must be taken",
    });
  // An API may change the letter case of a link, if its response to the creation says so.
  if (response.isSuccess && hasInAnyCase(page.text, customLink) && !page.text.includes(customLink))
    ctx.observe(
      "N40",
      "a page gets its customLink in another letter case, and the one that was sent stays free",
    );
  else {
    const actual = `${response.outcome} although a page created in this run has this link`;
    demand(response.status === 400, response, actual, "400", [page]);
  }
}
