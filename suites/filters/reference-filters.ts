import { sameItems } from "../../fixtures/lists/identity.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { readFiltered, readPage, widestWindow } from "../../fixtures/lists/pages.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";

const LIST = "listTransfers";
/** How many of the last transfers on the widest page are tried. */
const TRIED = 5;

/** Yields filters that find exactly one transfer by a reference that the list shows, the last transfers first. */
export async function* referenceFilters(ctx: CheckContext) {
  const identity = await identityOf(ctx, LIST);
  const { items } = await readPage(ctx, LIST, await widestWindow(ctx, LIST));
  for (const item of items.toReversed().slice(0, TRIED)) {
    for (const [path, value] of scalars(item)) {
      if (!/ref(erence)?$/i.test(path)) continue;
      const filter = { transferReference: String(value) };
      const found = (await readFiltered(ctx, LIST, filter)).items;
      if (found.length === 1 && sameItems(found, [item], identity)) yield filter;
    }
  }
}
