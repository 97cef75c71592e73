import { namesIdentifier, resolve } from "../../fixtures/engine/lists/items.ts";
import {
  type ApiResponse,
  type CheckContext,
  candidates,
  pathInRecord,
  pathsIn,
  skip,
  valueAt,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";

// How an update names its discount code is undocumented (N28): it is learned from DISCOUNT_UPDATE and from the list.

const UPDATE = "updateDiscountCode";

type Values = Readonly<Record<string, unknown>>;
type Items = readonly unknown[];

const isDetail = (name: string) => name !== "code" && name in contract.createDiscountCode.body.shape;

/** The members of DISCOUNT_UPDATE that say which code is meant: those that are no details of one. */
function identifiersOf(ctx: CheckContext): [name: string, value: unknown][] {
  const { query, body } = ctx.draft(UPDATE);
  return Object.entries({ ...query, ...body }).filter(([name]) => !isDetail(name));
}

/** Where the items show such a member, under its name or as another identifier that only one of them has. */
export function placeOf(items: Items, name: string, value: unknown): string | undefined {
  const isIt = (item: unknown, path: string) => String(valueAt(item, path)) === String(value);
  const places = pathsIn(items).filter(
    (path) => namesIdentifier(path) && items.filter((item) => isIt(item, path)).length === 1,
  );
  return places.find((path) => isCalled(path, name)) ?? places[0];
}

/**
 * Throws `NotTested` unless the update names a code that the merchant under test has and the other one has not: how a
 * code is identified is undocumented (N28), and two merchants may have a code of the same name.
 */
export async function needOwnCode(ctx: CheckContext) {
  const [own, others] = await Promise.all(
    [ctx, ctx.other].map((merchant) => merchant.send("listDiscountCodes")),
  );
  const [items, foreign] = [own, others].map((list) => candidates(list?.json).flatMap((one) => one.items));
  const isOwn = ([name, value]: readonly [string, unknown]) => {
    const place = placeOf(items ?? [], name, value);
    return place !== undefined && foreign?.every((item) => String(valueAt(item, place)) !== String(value));
  };
  if (others?.kind === "done" && identifiersOf(ctx).some(isOwn)) return;
  skip("DISCOUNT_UPDATE names no code that only the list of the merchant under test shows");
}

const isCalled = (path: string, name: string) => pathInRecord(path).toLowerCase() === name.toLowerCase();

/**
 * Makes the updates of a code that the run created; `list` returns the item that shows it, and all items. Throws `NotTested`
 * unless everything by which DISCOUNT_UPDATE names a code is known of this one too.
 */
export async function updatesOf(
  ctx: CheckContext,
  created: ApiResponse,
  list: () => Promise<{ readonly item: unknown; readonly items: Items }>,
): Promise<(values: Values) => { readonly query: Values; readonly body: Values }> {
  const own = new Map<string, unknown>([
    ["code", created.bodySent.code],
    ["reference", resolve(created.json, "/data/reference")],
  ]);
  const identifiers = identifiersOf(ctx);
  for (const [name, value] of identifiers) {
    if (own.get(name) !== undefined) continue;
    const { item, items } = await list();
    const place = placeOf(items, name, value) ?? pathsIn([item]).find((path) => isCalled(path, name));
    const shown = place !== undefined && namesIdentifier(place) ? valueAt(item, place) : undefined;
    if (shown === undefined) throw notNamed(`names a code by its ${name}, which the list does not show`);
    own.set(name, typeof value === "number" ? Number(shown) : String(shown));
  }
  if (identifiers.length === 0) throw notNamed("does not say which code it means");
  const { query, body } = ctx.draft(UPDATE);
  const forOwn = (part: Values = {}) =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, isDetail(name) ? value : own.get(name)]),
    );
  return (values) => ({ query: forOwn(query), body: { ...forOwn(body ?? {}), ...values } });
}

const notNamed = (what: string) => skip(`DISCOUNT_UPDATE ${what}`);
