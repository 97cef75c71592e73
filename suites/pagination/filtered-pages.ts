import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { readFiltered, readPage, windows } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** Pages of one item that are looked at. */
const PAGES = 3;

/**
 * Demands that pages of one item show what a filter finds: where the filter is applied to each page after it was cut,
 * most of them are empty. Says whether that could be seen: what stands at the beginning of the list is on its pages
 * either way.
 */
export async function judgeFilteredPages(
  ctx: CheckContext,
  id: OperationId,
  filter: Query,
): Promise<boolean> {
  const identity = await identityOf(ctx, id);
  const { origin } = await locate(ctx, id);
  if (origin === undefined) throw new Inconclusive("the number of the first page cannot be told");
  const { items } = await readFiltered(ctx, id, filter);
  const found = new Set(items.map(identity));
  let isTelling = false;
  for (const window of await windows(ctx, id, 1, Math.min(found.size, PAGES))) {
    const whole = await readPage(ctx, id, window);
    isTelling ||= whole.items.some((item) => !found.has(identity(item)));
    const page = await readPage(ctx, id, { ...window, ...filter });
    if (page.items.length > 0) continue;
    // Others may have changed meanwhile what the filter finds.
    const again = await readFiltered(ctx, id, filter);
    if (again.items.length >= found.size)
      throw new Violation(
        page.answer,
        `shows nothing on page ${window.page} of limit=1, yet a wide page shows ${found.size} items for the same ${Object.keys(filter).join(" and ")}`,
        "one item: a filter comes before paging",
      );
  }
  return isTelling;
}
