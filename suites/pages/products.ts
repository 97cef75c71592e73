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
} from "../../fixtures/engine/vocabulary.ts";

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

/** The first text with letters whose path in a record matches. */
const textAt = (records: readonly unknown[], place: RegExp) =>
  records
    .flatMap((record) => scalars(record))
    .filter(([path]) => place.test(pathInRecord(path)))
    .map(([, value]) => String(value))
    .find((text) => /^[A-Za-z ]*[A-Za-z]{3}/.test(text));

const isGroup = (item: unknown) =>
  isObject(item) && Object.values(item).some((member) => Array.isArray(member) && member.some(isObject));
