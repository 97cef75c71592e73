import { Inconclusive, ifDecided, Violation } from "../../fixtures/http/findings.ts";
import { countCommon, type Identity, sameItems } from "../../fixtures/lists/identity.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { type Page, readFiltered, readPage, widestWindow } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import { untilStable } from "../../fixtures/lists/stable-read.ts";
import type { TransferStatus } from "../../fixtures/lists/transfer-counts.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { plural } from "../../reports/text/wording.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { statusAt, statusPath } from "./transfer-status-field.ts";

const LIST = "listTransfers";

/** The transfers that the list shows under one status. */
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
  if (overlap)
    throw new Violation(
      overlap.other.answer,
      `lists ${plural(overlap.common, "transfer")} both under status=${overlap.one.status} and under status=${overlap.other.status}`,
      "each transfer under one status only",
    );
}

/** Finds the first two statuses that have transfers in common; `undefined` if there are none. */
export function overlapOf(sets: readonly StatusSet[], identity: Identity) {
  for (const [index, one] of sets.entries()) {
    for (const other of sets.slice(index + 1)) {
      const common = countCommon(one.items, other.items, identity);
      if (common > 0) return { common, one, other };
    }
  }
  return undefined;
}

/**
 * Finds the statuses that list nothing although the whole list has transfers with them. These are all six if none
 * lists anything, since every transfer has a status (section 3).
 */
export async function blindStatuses(ctx: CheckContext): Promise<StatusSet[]> {
  const path = await ifDecided(statusPath(ctx));
  const identity = await identityOf(ctx, LIST);
  const widest = await widestWindow(ctx, LIST);
  const before = (await readPage(ctx, LIST, widest)).items;
  const sets = await readSets(ctx);
  const after = (await readPage(ctx, LIST, widest)).items;
  if (countCommon(before, after, identity) === 0)
    throw new Inconclusive("the whole list has no transfers that stay in it while it is read");
  const empty = sets.filter(({ items }) => items.length === 0);
  if (empty.length === sets.length) return empty;
  if (path === undefined) return [];
  // A transfer may change its status meanwhile (section 3), so only those count that kept it.
  const earlier = new Map(before.map((item) => [identity(item), statusAt(item, path)]));
  const kept = after
    .filter((item) => statusAt(item, path) === earlier.get(identity(item)))
    .map((item) => statusAt(item, path));
  return empty.filter(({ status }) => kept.includes(status.toLowerCase()));
}
