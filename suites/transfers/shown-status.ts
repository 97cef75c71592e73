import {
  type CheckContext,
  listOf,
  type Page,
  pathInRecord,
  pathsIn,
  valueAt,
} from "../../fixtures/engine/vocabulary.ts";
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
