import type { TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import { type Identity, shareOwnId } from "../../fixtures/engine/lists/items.ts";
import {
  type CheckContext,
  listOf,
  type Page,
  pathInRecord,
  pathsIn,
  valueAt,
} from "../../fixtures/engine/vocabulary.ts";
import { pairsOf } from "../../reports/grouping.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";

const LIST = "listTransfers";

/** Names of a transfer's own status: its recipient or its settlement may have a status as well. */
const OWN_STATUS = /^((transaction|transfer)\.)?((transaction|transfer)_?)?(state|status)$/i;

const STATUSES: readonly string[] = TRANSFER_STATUSES.map((status) => status.toLowerCase());

/** Statuses in which a transfer ends, and those that it has before. */
export const ENDS = ["Successful", "Failed"] as const;
export const BEFORE_END = ["Pending", "Unverified"] as const;

/** Whether a text in lower case is one of the statuses of section 3. */
export const isStatus = (text: string) => STATUSES.includes(text);

/**
 * Finds the field that shows the status of listed transfers: all its values are statuses of section 3, and they are
 * not all the same. Returns its path, or `undefined` if no field or several fit.
 */
export async function statusPath(ctx: CheckContext): Promise<string | undefined> {
  return pathIn(await listOf(ctx, LIST).first()) ?? pathIn(await listOf(ctx, LIST).widest());
}

function pathIn({ items }: Page): string | undefined {
  const [only, another] = pathsIn(items).filter((path) => {
    const values = items.map((item) => statusAt(item, path));
    const areStatuses = values.every((value) => value !== undefined && isStatus(value));
    return OWN_STATUS.test(pathInRecord(path)) && areStatuses && new Set(values).size > 1;
  });
  return another === undefined ? only : undefined;
}

/** Reads the value at a path of a listed transfer, in lower case. */
export function statusAt(item: unknown, path: string): string | undefined {
  const found = valueAt(item, path);
  return found === undefined ? undefined : String(found).toLowerCase();
}

/** The widest page of the transfers under one status. */
export interface StatusSet extends Page {
  readonly status: TransferStatus;
}

/** Reads the transfers under each status. */
export async function readSets(ctx: CheckContext): Promise<StatusSet[]> {
  const sets: StatusSet[] = [];
  for (const status of TRANSFER_STATUSES)
    sets.push({ status, ...(await listOf(ctx, LIST).widest({ status })) });
  return sets;
}

/** What is wrong with the transfers under each status, however often they are read. */
export function lastingIn<T extends { readonly key: string }>(
  ctx: CheckContext,
  judge: (sets: readonly StatusSet[]) => readonly T[],
) {
  const look = async () => judge(await readSets(ctx));
  return ctx.run.settling.lasting(look, ({ key }) => key);
}

/** Finds every transfer that two statuses have in common. */
export const overlapsOf = (sets: readonly StatusSet[], identity: Identity) =>
  pairsOf(sets).flatMap(([one, other]) => {
    const known = new Set(one.items.map(identity));
    const common = other.items.map(identity).filter((item) => known.has(item));
    return common.map((item) => ({ one, other, key: `${one.status} ${other.status} ${item}` }));
  });

/** Finds every transfer that shows another status than that under which it is listed; `areAttempts` if its rows are attempts. */
export function misplacedIn(sets: readonly StatusSet[], path: string, identity: Identity) {
  const all = sets.flatMap(({ items }) => items);
  const areAttempts = shareOwnId(all, JSON.stringify);
  return sets.flatMap(({ items, ...set }) =>
    items.flatMap((item) => {
      const shown = statusAt(item, path);
      const isOther = shown !== undefined && shown !== set.status.toLowerCase();
      const row = areAttempts ? JSON.stringify(item) : identity(item);
      return isOther ? [{ ...set, shown, areAttempts, key: `${set.status} ${row}` }] : [];
    }),
  );
}
