import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  demandDone,
  listOf,
  scalars,
  skip,
  undecided,
  valueAt,
} from "../../fixtures/engine/vocabulary.ts";
import { plural } from "../../reports/wording.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { keepsEveryPart } from "../every-operation/repeats/race.ts";
import { responseToDefect } from "../every-operation/requests.ts";
import { productIds } from "./product-ids.ts";

// A page keeps its products, so that PAGE_ID shows only once what an addition does. New pages show it as often as needed.

const ID = "addPageProducts";
const CREATE = "createPaymentPage";
const LIST = "listPageProducts";
const check = checksUnder(ID, "repeats");

/** Ids that no product is expected to have; a service may take the longer one for no id at all. */
const UNKNOWN_IDS = [UNKNOWN_ID, 987_654_321];

const WHAT = "one of several products does not exist";
const NOTHING = `adds nothing to a new page when it refuses a request because ${WHAT}`;
check("new-page/rejections-leave-nothing", NOTHING, { critical: "practice", probe: true }, async (ctx) => {
  const [product = "", other] = severalProducts(ctx);
  let pageId = await nextPage(ctx);
  const rejected: ApiResponse[] = [];
  const send = async (ids: string) => {
    const response = await ctx.sendInvalid(ID, { body: { pageId, productIds: ids } });
    if (!response.looksAccepted) rejected.push(response);
    return response;
  };
  // Some read a number up to the first letter, and letters as none.
  if ((await send(`${product},abc`)).looksAccepted) pageId = await nextPage(ctx);
  for (const ids of [...UNKNOWN_IDS.map((unknown) => `${product},${unknown}`), `${UNKNOWN_ID},${product}`]) {
    const { looksAccepted, outcome } = await send(ids);
    if (looksAccepted) skip(`${outcome} although ${WHAT}`);
  }
  // A cache may show the page as it was before the rejections, but not as it was before an accepted request.
  const added = await ctx.send(ID, { body: { pageId, productIds: other } });
  if (!added.isSuccess) undecided(`${added.outcome} for another product`, `${ID}/accepted`);
  const { settling } = ctx.run;
  const read = () => readProducts(ctx, pageId);
  const { list, count } = await settling.until(read, (seen) => seen.count === 1);
  if (!(count > 1)) return;
  // A product may be listed as several items: only if nothing is left to add, the page has it already.
  const further = await ctx.send(ID, { body: { pageId, productIds: product } });
  const later = await settling.until(read, (seen) => seen.count > count);
  if (later.count > count || !further.isSuccess) return;
  if (rejected.some(({ isCrash }) => isCrash)) undecided("the API crashed instead of rejecting the request");
  const actual = `lists ${plural(count, "product")} of a new page, although it accepted one and rejected the other each time because ${WHAT}`;
  demand(false, list, actual, "no trace of a rejected request", [...rejected, added]);
});

const AT_ONCE = "lists what several requests add to a page at the same moment, or right after one another";
check("at-once", AT_ONCE, { critical: "practice", probe: true }, async (ctx) => {
  await keepsEveryPart(ctx, {
    id: ID,
    names: severalProducts(ctx),
    what: "additions of different products",
    item: "N40",
    // A page keeps what was added, so each race needs a new one.
    make: () => nextPage(ctx),
    add: (pageId, productIds, options) => ctx.send(ID, { body: { pageId, productIds } }, options),
    read: async (pageId, ids) => {
      const response = await demandDone(ctx, await ctx.send(LIST, { query: { pageId } }));
      return { response, lost: ids.filter((id) => !response.text.includes(id)) };
    },
  });
});

interface Products {
  readonly list: ApiResponse;
  readonly count: number;
}

async function readProducts(ctx: CheckContext, pageId: number): Promise<Products> {
  const { itemsIn } = await listOf(ctx, LIST).located();
  const list = await ctx.send(LIST, { query: { pageId } });
  return { list, count: list.isSuccess ? itemsIn(list.json).length : Number.NaN };
}

/** Several products; more than a few of them show no more. */
function severalProducts(ctx: CheckContext): string[] {
  const products = [...new Set(productIds(ctx))].slice(0, 5);
  if (products.length > 1) return products;
  skip("set PRODUCT_IDS to two products or more, which are added to one page by two requests", "variable", [
    "PRODUCT_IDS",
  ]);
}

/** Takes a page of this run without products, and creates one if none is left; throws `NotTested` if no response shows ids. */
async function nextPage(ctx: CheckContext): Promise<number> {
  ctx.needProbeWrites();
  const { path, used } = await ctx.run.once(`${CREATE}/id`, () => findId(ctx));
  const isOrdinary = (page: ApiResponse) =>
    isOwn(ctx, page) && page.partSent("pageType") === ctx.values.PAGE_TYPE;
  for (const known of [...ctx.run.responsesTo(CREATE).filter(isOrdinary), undefined]) {
    const page = known ?? (await ctx.send(CREATE));
    if (!page.isSuccess) undecided(`${page.outcome} for a further page`, `${CREATE}/accepted`);
    const id = idIn(valueAt(page.json, path));
    if (id === undefined || used.has(id)) continue;
    used.add(id);
    const read = () => readProducts(ctx, id);
    const isEmpty = ({ count }: Products) => count === 0;
    if (isEmpty(await (known ? read() : ctx.run.settling.until(read, isEmpty)))) return id;
  }
  throw notShown();
}

const isOwn = (ctx: CheckContext, page: ApiResponse) =>
  page.isSuccess && page.isSentWith(ctx.target.secretKey);

/** As many numbers as a check tries; a response shows few. */
const MOST_NUMBERS = 8;

/**
 * The specification names no field that holds the id of a new page. It is the one number that is another one for another
 * page, and for which there is a list without products, while the list of an unknown page is rejected.
 */
async function findId(ctx: CheckContext): Promise<{ readonly path: string; readonly used: Set<number> }> {
  const control = await ctx.ordinary(CREATE);
  const other =
    ctx.run.responsesTo(CREATE).find((page) => page !== control && isOwn(ctx, page)) ??
    (await ctx.send(CREATE));
  const numbers = scalars(control.json).flatMap(([path, value]) => {
    const [id, another] = [idIn(value), idIn(valueAt(other.json, path))];
    return id === undefined || another === undefined || id === another ? [] : [{ path, id }];
  });
  if (numbers.length === 0 || numbers.length > MOST_NUMBERS) throw notShown();
  const change = { query: { pageId: UNKNOWN_ID } };
  const unknown = await responseToDefect(ctx, LIST, { what: "no page has this pageId", change });
  if (unknown.handling !== "rejected") throw notShown();
  const found = new Map<number, string>();
  for (const { path, id } of numbers)
    if (!found.has(id) && (await readProducts(ctx, id)).count === 0) found.set(id, path);
  const [path, ...more] = found.values();
  if (path === undefined || more.length > 0) throw notShown();
  return { path, used: new Set() };
}

/** A positive number of up to 31 bits, also as text: what a service may store as an id, and no date in milliseconds. */
function idIn(value: unknown): number | undefined {
  const isWritten = typeof value === "number" || (typeof value === "string" && /^\d{1,10}$/.test(value));
  const number = isWritten ? Number(value) : 0;
  return Number.isSafeInteger(number) && number > 0 && number < 2 ** 31 ? number : undefined;
}

const notShown = () =>
  skip("the response to a creation shows no id under which the new page has a list of products");
