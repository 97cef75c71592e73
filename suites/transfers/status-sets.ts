import type { TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import { type Identity, shareOwnId } from "../../fixtures/engine/lists/items.ts";
import { type CheckContext, listOf, type Page } from "../../fixtures/engine/vocabulary.ts";
import { pairsOf } from "../../reports/grouping.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { statusAt } from "./shown-status.ts";

/** The widest page of the transfers under one status. */
export interface StatusSet extends Page {
  readonly status: TransferStatus;
}

/** Reads the transfers under each status; `first` reads them once per run. */
export async function readSets(ctx: CheckContext, read: "first" | "widest" = "widest"): Promise<StatusSet[]> {
  const sets: StatusSet[] = [];
  for (const status of TRANSFER_STATUSES)
    sets.push({ status, ...(await listOf(ctx, "listTransfers")[read]({ status })) });
  return sets;
}

/** What is wrong with the transfers under each status, however often they are read. */
export function lastingIn<T extends { readonly key: string }>(
  ctx: CheckContext,
  judge: (sets: readonly StatusSet[]) => readonly T[],
) {
  let read: "first" | "widest" = "first";
  const look = async () => {
    const sets = await readSets(ctx, read);
    read = "widest";
    return judge(sets);
  };
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
