import { Inconclusive, ifDecided, TooFew, Violation } from "../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { expectItems, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import type { TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import { countCommon, type Identity, sameItems } from "../../fixtures/engine/lists/items.ts";
import { knownFilters } from "../../fixtures/engine/lists/known-filters.ts";
import {
  firstWidest,
  identityOf,
  type Page,
  pairsOf,
  type Query,
  readWhole,
  readWidest,
  untilStable,
} from "../../fixtures/engine/lists/list.ts";
import { checksUnder } from "../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../fixtures/engine/run/check-context.ts";
import { pageSizes } from "../../fixtures/engine/run/paging.ts";
import { plural } from "../../reports/wording.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { judgeTwice } from "../every-operation/lists/reads.ts";
import { statusAt, statusPath } from "./shown-status.ts";

const LIST = "listTransfers";
const check = checksUnder(LIST);
const scope = "paging";
const must = { must: ["R011", "R019"], scope } as const;

/** A longer list takes too many reads. */
const MOST_TRANSFERS = 500;

// Section 4.8: what the status filter selects.
const STATUS_FILTER_SHOWS_ONLY_THAT_STATUS = "lists only transfers with the status that is asked for";
check("status-filter-shows-only-that-status", STATUS_FILTER_SHOWS_ONLY_THAT_STATUS, must, async (ctx) => {
  const path = await statusPath(ctx);
  if (path === undefined) return requireSplit(ctx);
  for (const status of TRANSFER_STATUSES) {
    const { response, items } = await firstWidest(ctx, LIST, { status });
    const shown = items.map((item) => statusAt(item, path)).filter((value) => value !== undefined);
    const other = shown.find((value) => value !== status.toLowerCase());
    const actual = `lists a transfer with the status ${other} under status=${status}`;
    expectThat(other === undefined, response, actual, `only transfers with the status ${status}`);
  }
});

check("status-sets-disjoint", "lists a transfer under one status only", must, (ctx) => expectDisjoint(ctx));

check(
  "status-sets-are-part-of-all",
  "lists under a status only transfers that the whole list has as well",
  { should: ["R011"], scope },
  async (ctx) => {
    const identity = await identityOf(ctx, LIST);
    const { widest } = await pageSizes(ctx, LIST);
    await judgeTwice(async (read) => {
      // The whole list is read last, so transfers that others add meanwhile can only be missing from the sets.
      const sets = await readSets(ctx, {}, read);
      const all = await readWhole(ctx, LIST, MOST_TRANSFERS / widest);
      if (!all)
        throw new Inconclusive(`the list has more than ${MOST_TRANSFERS} transfers: too many to read`);
      const known = new Set(all.flatMap((page) => page.items.map(identity)));
      const pages = all.map(({ response }) => response);
      for (const { response, items, status } of sets) {
        const unknown = items.filter((item) => !known.has(identity(item))).length;
        const actual = `lists ${plural(unknown, "transfer")} under status=${status} that the whole list lacks`;
        expectThat(unknown === 0, response, actual, "only transfers of the whole list", pages);
      }
    });
  },
);

const STATUS_FILTERS_FIND = "lists each transfer under its status";
check("status-filters-find", STATUS_FILTERS_FIND, { critical: ["R011", "R019"], scope }, async (ctx) => {
  let blind: Awaited<ReturnType<typeof blindStatuses>> | undefined;
  const look = async () => {
    const found = await blindStatuses(ctx);
    blind = found.filter(({ status }) => !blind || blind.some((known) => known.status === status));
    return blind;
  };
  const [still] = await ctx.run.settling.until(look, (found) => found.length === 0);
  if (!still) return;
  const when = `status=${still.status}, although the whole list has transfers with this status`;
  expectItems(still, when, "each transfer under its status", [still.whole]);
});

/**
 * Without a status field, or if all transfers have the same status, only this can be seen: no transfer is found under two
 * statuses, so each filter leaves out what another one finds. Throws `Inconclusive` if one is, or if none is found.
 */
async function requireSplit(ctx: CheckContext) {
  const sets = (await readSets(ctx, {}, firstWidest)).filter(({ items }) => items.length > 0);
  if (sets.length > 0 && !overlapOf(sets, await identityOf(ctx, LIST))) return;
  throw new TooFew(
    "no field of the transfers can be recognised as their status, or all statuses are the same",
  );
}

// Section 4.8: what the filter transferReference selects, together with status.
check(
  "status-sets-disjoint-for-reference",
  "lists a transfer that is asked for by reference under one status only",
  { must: ["R011", "R019"], scope: "paging" },
  async (ctx) => {
    const known = await knownFilters(ctx, "listTransfers");
    const found = known.find(({ filter }) => "transferReference" in filter);
    if (found) return expectDisjoint(ctx, found.filter);
    throw new TooFew("no transfer is found by a reference that the list shows");
  },
);

interface StatusSet extends Page {
  readonly status: TransferStatus;
}

/** Reads the transfers under each status, of those that `filter` finds. */
async function readSets(ctx: CheckContext, filter: Query = {}, read = readWidest): Promise<StatusSet[]> {
  const sets: StatusSet[] = [];
  for (const status of TRANSFER_STATUSES)
    sets.push({ status, ...(await read(ctx, LIST, { ...filter, status })) });
  return sets;
}

/** Demands that no transfer that `filter` finds is listed under two statuses. */
async function expectDisjoint(ctx: CheckContext, filter: Query = {}) {
  const identity = await identityOf(ctx, LIST);
  if (!overlapOf(await readSets(ctx, filter, firstWidest), identity)) return;
  // A transfer may change its status between two reads (section 3), so an overlap must show twice.
  const overlap = await untilStable(async () => {
    const before = await readSets(ctx, filter);
    if (!overlapOf(before, identity)) return { value: undefined, stable: true };
    const after = await readSets(ctx, filter);
    return {
      value: overlapOf(after, identity),
      stable: before.every((set, index) => sameItems(set.items, after[index]?.items ?? [], identity)),
    };
  });
  if (!overlap) return;
  const { common, one, other } = overlap;
  const actual = `lists ${plural(common, "transfer")} both under status=${one.status} and under status=${other.status}`;
  throw new Violation(other.response, actual, "each transfer under one status only", [one.response]);
}

/** Finds the first two statuses that have transfers in common; `undefined` if there are none. */
const overlapOf = (sets: readonly StatusSet[], identity: Identity) =>
  pairsOf(sets)
    .map(([one, other]) => ({ one, other, common: countCommon(one.items, other.items, identity) }))
    .find(({ common }) => common > 0);

/**
 * Finds the statuses that list nothing although the whole list has transfers with them. These are all six if none
 * lists anything, since every transfer has a status (section 3).
 */
async function blindStatuses(ctx: CheckContext): Promise<(StatusSet & { readonly whole: ApiResponse })[]> {
  const path = await ifDecided(statusPath(ctx));
  const identity = await identityOf(ctx, LIST);
  const before = (await readWidest(ctx, LIST)).items;
  const sets = await readSets(ctx);
  const { response: whole, items: after } = await readWidest(ctx, LIST);
  if (countCommon(before, after, identity) === 0)
    throw new Inconclusive("the whole list has no transfers that stay in it while it is read");
  const empty = sets.filter(({ items }) => items.length === 0).map((set) => ({ ...set, whole }));
  if (empty.length === sets.length) return empty;
  if (path === undefined) return [];
  // A transfer may change its status meanwhile (section 3), so only those count that kept it.
  const earlier = new Map(before.map((item) => [identity(item), statusAt(item, path)]));
  const kept = after
    .filter((item) => statusAt(item, path) === earlier.get(identity(item)))
    .map((item) => statusAt(item, path));
  return empty.filter(({ status }) => kept.includes(status.toLowerCase()));
}
