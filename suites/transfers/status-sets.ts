import type { TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import { readWidest } from "../../fixtures/engine/lists/list.ts";
import type { CheckContext, Page, Query } from "../../fixtures/engine/vocabulary.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";

/** The widest page of the transfers under one status. */
export interface StatusSet extends Page {
  readonly status: TransferStatus;
}

/** Reads the transfers under each status, of those that `filter` finds. */
export async function readSets(
  ctx: CheckContext,
  filter: Query = {},
  read = readWidest,
): Promise<StatusSet[]> {
  const sets: StatusSet[] = [];
  for (const status of TRANSFER_STATUSES)
    sets.push({ status, ...(await read(ctx, "listTransfers", { ...filter, status })) });
  return sets;
}
