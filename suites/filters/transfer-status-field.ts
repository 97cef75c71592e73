import { pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";
import { readPage, widestWindow } from "../../fixtures/lists/pages.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";

/** Names of a transfer's own status: its recipient or its settlement may have a status as well. */
const OWN_STATUS = /^((transaction|transfer)\.)?((transaction|transfer)_?)?(state|status)$/i;

/**
 * Finds the field that shows the status of listed transfers: all its values are statuses of section 3, and they are
 * not all the same. Returns its path, or `undefined` if no field or several fit.
 */
export async function statusPath(ctx: CheckContext): Promise<string | undefined> {
  const { items } = await readPage(ctx, "listTransfers", await widestWindow(ctx, "listTransfers"));
  const known = new Set<string>(TRANSFER_STATUSES.map((status) => status.toLowerCase()));
  const paths = [...new Set(items.flatMap((item) => scalars(item).map(([path]) => path)))];
  const fitting = paths.filter((path) => {
    if (!OWN_STATUS.test(pathInRecord(path))) return false;
    const values = items.map((item) => statusAt(item, path));
    return values.every((value) => value !== undefined && known.has(value)) && new Set(values).size > 1;
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Reads the value at a path of a listed transfer, in lower case. */
export function statusAt(item: unknown, path: string): string | undefined {
  const found = scalars(item).find(([name]) => name === path)?.[1];
  return found === undefined ? undefined : String(found).toLowerCase();
}
