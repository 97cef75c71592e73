import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, ifDecided, Violation } from "../../fixtures/http/findings.ts";
import { countCommon, type Identity, sameItems } from "../../fixtures/lists/identity.ts";
import { pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { type Page, pairsOf, readFiltered, readWidest, untilStable } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { TransferStatus } from "../../fixtures/lists/transfer-counts.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { plural } from "../../reports/text/wording.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";

const LIST = "listTransfers";

/** Names of a transfer's own status: its recipient or its settlement may have a status as well. */
const OWN_STATUS = /^((transaction|transfer)\.)?((transaction|transfer)_?)?(state|status)$/i;

export interface StatusSet extends Page {
  readonly status: TransferStatus;
}

/** Reads the transfers under each status, of those that `filter` finds. */
export async function readSets(ctx: CheckContext, filter: Query = {}): Promise<StatusSet[]> {
  const sets: StatusSet[] = [];
  for (const status of TRANSFER_STATUSES)
    sets.push({ status, ...(await readFiltered(ctx, LIST, { ...filter, status })) });
  return sets;
}

/** Demands that no transfer that `filter` finds is listed under two statuses. */
export async function expectDisjoint(ctx: CheckContext, filter: Query = {}) {
  const identity = await identityOf(ctx, LIST);
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
  throw new Violation(other.answer, actual, "each transfer under one status only", [one.answer]);
}

/** Finds the first two statuses that have transfers in common; `undefined` if there are none. */
export const overlapOf = (sets: readonly StatusSet[], identity: Identity) =>
  pairsOf(sets)
    .map(([one, other]) => ({ one, other, common: countCommon(one.items, other.items, identity) }))
    .find(({ common }) => common > 0);

/**
 * Finds the statuses that list nothing although the whole list has transfers with them. These are all six if none
 * lists anything, since every transfer has a status (section 3).
 */
export async function blindStatuses(ctx: CheckContext): Promise<(StatusSet & { readonly whole: Answer })[]> {
  const path = await ifDecided(statusPath(ctx));
  const identity = await identityOf(ctx, LIST);
  const before = (await readWidest(ctx, LIST)).items;
  const sets = await readSets(ctx);
  const { answer: whole, items: after } = await readWidest(ctx, LIST);
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

/**
 * Finds the field that shows the status of listed transfers: all its values are statuses of section 3, and they are
 * not all the same. Returns its path, or `undefined` if no field or several fit.
 */
export async function statusPath(ctx: CheckContext): Promise<string | undefined> {
  const { items } = await readWidest(ctx, LIST);
  const known = new Set<string>(TRANSFER_STATUSES.map((status) => status.toLowerCase()));
  const paths = new Set(items.flatMap((item) => scalars(item).map(([path]) => path)));
  const [only, another] = [...paths].filter((path) => {
    const values = items.map((item) => statusAt(item, path));
    const areStatuses = values.every((value) => value !== undefined && known.has(value));
    return OWN_STATUS.test(pathInRecord(path)) && areStatuses && new Set(values).size > 1;
  });
  return another === undefined ? only : undefined;
}

/** Reads the value at a path of a listed transfer, in lower case. */
export function statusAt(item: unknown, path: string): string | undefined {
  const found = scalars(item).find(([name]) => name === path)?.[1];
  return found === undefined ? undefined : String(found).toLowerCase();
}
