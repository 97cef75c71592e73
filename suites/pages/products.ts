import { itemsAt } from "../../fixtures/engine/lists/items.ts";
import { prepareOrdinary } from "../../fixtures/engine/run/control.ts";
import {
  type ApiResponse,
  type CheckContext,
  candidates,
  countCommon,
  isObject,
  listOf,
  NotTested,
  pathInRecord,
  scalars,
  skip,
  undecided,
  valueAt,
} from "../../fixtures/engine/vocabulary.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { responseToDefect } from "../every-operation/requests.ts";

const CREATE = "createPaymentPage";
const LIST = "listPageProducts";

/** The ids in PRODUCT_IDS. */
export const productIds = (ctx: CheckContext): string[] => ctx.need("PRODUCT_IDS").split(/\s*,\s*/);

/** The ordinary addition of products; throws `NotTested` if an earlier run added them. */
export function unspentAddition(ctx: CheckContext) {
  const { spent, ...addition } = prepareOrdinary(ctx, "addPageProducts");
  if (spent) throw spent;
  return addition;
}

/** Returns a function that counts the products which a list shows and `before` did not. */
export async function newcomers(
  ctx: CheckContext,
  before: ApiResponse,
): Promise<(list: ApiResponse) => number> {
  try {
    const { itemsIn } = await listOf(ctx, LIST).located();
    const identity = await listOf(ctx, LIST).identity();
    const others = itemsIn(before.json);
    return ({ json }) => itemsIn(json).length - countCommon(others, itemsIn(json), identity);
  } catch (error) {
    // Where the list is in a response cannot be seen while it is empty, but it is what grows.
    if (!(error instanceof NotTested && error.reason === "empty-list")) throw error;
    const growth = (json: unknown) =>
      candidates(json).map(({ pointer, items }) => items.length - itemsAt(before.json, pointer).length);
    return ({ json }) => Math.max(0, ...growth(json));
  }
}

/** The name of the first product itself, and not of its category, or of a group that has a list of products. */
export const nameOf = (items: readonly unknown[]) =>
  textAt(
    items.filter((item) => !isGroup(item)),
    /^(product\.)?(product_?)?(name|title)$/i,
  );

/** The name of a product in a body, if one list has any: which of several has the products is not known. */
export function onlyNameIn(body: unknown): string | undefined {
  const [name, another] = candidates(body).flatMap(({ items }) => nameOf(items) ?? []);
  return another === undefined ? name : undefined;
}

const textAt = (records: readonly unknown[], place: RegExp) =>
  records
    .flatMap((record) => scalars(record))
    .filter(([path]) => place.test(pathInRecord(path)))
    .map(([, value]) => String(value))
    .find((text) => /^[A-Za-z ]*[A-Za-z]{3}/.test(text));

const isGroup = (item: unknown) =>
  isObject(item) && Object.values(item).some((member) => Array.isArray(member) && member.some(isObject));

// A page keeps its products, so that PAGE_ID shows only once what an addition does. New pages show it as often as needed.

interface Products {
  readonly list: ApiResponse;
  readonly count: number;
}

async function readProducts(ctx: CheckContext, pageId: number): Promise<Products> {
  const { itemsIn } = await listOf(ctx, LIST).located();
  const list = await ctx.send(LIST, { query: { pageId } });
  return { list, count: list.kind === "done" ? itemsIn(list.json).length : Number.NaN };
}

/** Takes a page of this run without products, and creates one if none is left; throws `NotTested` if no response shows ids. */
export async function nextPage(ctx: CheckContext): Promise<number> {
  ctx.needProbeWrites();
  const { path, used } = await ctx.run.once(`${CREATE}/id`, () => findId(ctx));
  const isOrdinary = (page: ApiResponse) =>
    isOwn(ctx, page) && page.fieldSent("pageType") === ctx.values.PAGE_TYPE;
  for (const known of [...ctx.run.responsesTo(CREATE).filter(isOrdinary), undefined]) {
    const page = known ?? (await ctx.send(CREATE));
    if (page.kind !== "done") undecided(`${page.outcome} for a further page`, `${CREATE}/accepted`);
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
  page.kind === "done" && page.isSentWith(ctx.target.secretKey);

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
  if (unknown.kind !== "rejected") throw notShown();
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
