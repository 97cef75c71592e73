import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  isObject,
  listOf,
  membersOf,
  pathsIn,
  type Query,
  resolve,
  scalars,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import { findCopies } from "../lists/copies.ts";
import { wordsFor } from "../lists/judged-pages.ts";
import { expectNone, responsesOf } from "./recorded.ts";

for (const { id, list } of operations) {
  if (!list) continue;
  const check = checksUnder(`${id}/answers`, "late");

  // A cache that keeps a list for a while without regard to limit breaks the rule only when it was filled with a wide
  // page, so every page of the run is judged, whatever it was asked for.
  const { limit: must } = list.paged ?? {};
  const atMost = "returns at most limit items on every page of the run";
  if (must)
    check("limit", atMost, { must, scope: "paging" }, async (ctx) => {
      const recorded = await responsesOf(ctx, id);
      const { itemsIn } = await listOf(ctx, id).located();
      const pages = recorded.flatMap((response) => {
        const limit = limitAsked(response);
        return limit === undefined ? [] : [{ response, limit, count: itemsIn(response.json).length }];
      });
      const long = pages.filter(({ limit, count }) => count > limit);
      const wrong = long.map(({ response }) => response);
      expectNone(ctx, wrong, `returned ${plural(long[0]?.count ?? 0, "item")}`, `at most ${long[0]?.limit}`);
      const most = Math.max(0, ...pages.map(({ count }) => count));
      if (most < 2) undecided(`no page has more than ${plural(most, "item")}, but this check needs 2`);
    });

  // A program that reads an array fails at an object, as some languages write an array that is empty or has gaps.
  const asArray = "returns its list as an array each time, if it does so at all";
  check("list-type", asArray, { critical: "practice" }, async (ctx) => {
    const { pointer } = await listOf(ctx, id).located();
    const lists = (await responsesOf(ctx, id))
      .filter(({ kind }) => kind === "done")
      .map((response) => ({ response, found: resolve(response.json, pointer) }));
    const wrong = lists.filter(({ found }) => isObject(found) && Object.keys(found).every(isIndex));
    if (!lists.some(({ found }) => Array.isArray(found) && found.length > 0)) return;
    const responses = wrong.map(({ response }) => response);
    expectNone(ctx, responses, "returned its list as an object", "an array");
  });

  // Each filter may be another query with a mapping of its own.
  const sameData = `shows the same data of a ${list.item}, whatever finds it`;
  check("same-item", sameData, { critical: "practice", scope: "paging" }, async (ctx) => {
    for (const { filter } of await listOf(ctx, id).filters()) {
      const [first, again] = [await differences(ctx, id, filter), await differences(ctx, id, filter)];
      const names = [
        ...new Set([...again.names].flatMap(([key, name]) => (first.names.has(key) ? [name] : []))),
      ];
      const actual = `shows another ${names.join(" and ")} of the same ${list.item} for ${wordsFor(filter)} than without`;
      demand(names.length === 0, again.found.response, actual, "the same data", [again.all.response]);
    }
  });

  // A query that joins what belongs to a record, such as the codes of a product, shows it once for each of those.
  const asOften = `lists a ${list.item} as often as before, whatever was added to it`;
  check("once", asOften, { critical: "practice" }, async (ctx) => {
    await ctx.ordinary(id);
    const { itemsIn } = await listOf(ctx, id).located();
    await ctx.send(id);
    const recorded = ctx.run.responsesTo(id).filter(({ kind }) => kind === "done");
    const wrong = findCopies(ctx, id, recorded, itemsIn);
    expectNone(ctx, wrong, `lists a ${list.item} more often than before`, "each as often as before");
  });

  // What a list shows of its records where the specification leaves it open.
  check(
    "items",
    "fields of a list item, and members next to the list",
    { observe: "N15,N16" },
    async (ctx) => {
      const { response, items } = await listOf(ctx, id).widest();
      ctx.observe("N15", `an item has the fields ${pathsIn(items).toSorted().join(", ") || "(none)"}`);
      const { pointer } = await listOf(ctx, id).located();
      const above = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
      ctx.observe("N16", `the list is in ${membersOf(resolve(response.json, above))}`);
    },
  );
}

const isIndex = (key: string) => /^\d+$/.test(key);

const NAMES_TIME = /([Dd]ate|[Tt]ime|[a-z](At|On)|_(at|on))$/;
/** A cursor, a link or a rank is about the response. */
const OF_RESPONSE = /cursor|link|href|ur[il]$|score|rank|highlight/i;

/** An address without its query. */
const addressIn = (value: unknown) => /^(https?:[^?]+)\?/.exec(String(value))?.[1];

/** The names of members that differ between an item which a filter finds and the same one without it, by what differs. */
async function differences(ctx: CheckContext, id: OperationId, filter: Query) {
  const [all, found] = [await listOf(ctx, id).widest(), await listOf(ctx, id).widest(filter)];
  const identity = await listOf(ctx, id).identity();
  const known = groupBy([...all.items.entries()], ([, item]) => identity(item));
  const names = found.items.flatMap((item, place) => {
    const [one, ...more] = known.get(identity(item)) ?? [];
    // Rows of one record may be its history.
    if (!one || more.length > 0) return [];
    const [placeOfOne, same] = one;
    const others = new Map(scalars(item));
    return scalars(same).flatMap(([path, value]) => {
      const other = others.get(path) ?? value;
      const isTime = /\d:\d\d|^1\d{9}(\d{3})? /.test(`${value} ${other}`) || NAMES_TIME.test(path);
      const isPlace = Number(value) - Number(other) === placeOfOne - place;
      // An address may be signed anew for each response, and a cache keep it for a while.
      const isSigned = addressIn(value) !== undefined && addressIn(value) === addressIn(other);
      if (other === value || isTime || isPlace || isSigned || OF_RESPONSE.test(path)) return [];
      return [[JSON.stringify([identity(item), path, value, other]), path] as const];
    });
  });
  return { all, found, names: new Map(names) };
}

/** The limit that a successful request asked for; `undefined` unless it is written once, as a plain whole number. */
function limitAsked({ kind, jsonProblem, request }: ApiResponse): number | undefined {
  if (kind !== "done" || jsonProblem) return undefined;
  const [asked, ...more] = new URL(request.path, request.origin).searchParams.getAll("limit");
  return more.length === 0 && /^[1-9]\d*$/.test(asked ?? "") ? Number(asked) : undefined;
}
