import type { Bench } from "../../fixtures/bench.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { identityOf, locate, type Query, readFiltered, readPage, windows } from "../../fixtures/listing.ts";
import { violation } from "../../fixtures/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** Pages of one item that are looked at. */
const PAGES = 3;

/**
 * Demands that pages of one item show what a filter finds: where the filter is applied to each page after it was cut,
 * most of them are empty. Says whether that could be seen: what stands at the beginning of the list is on its pages
 * either way.
 */
export async function judgeFilteredPages(bench: Bench, id: OperationId, filter: Query): Promise<boolean> {
  const identity = await identityOf(bench, id);
  const { origin } = await locate(bench, id);
  if (origin === undefined) throw new Inconclusive("the number of the first page cannot be told");
  const { items } = await readFiltered(bench, id, filter);
  const found = new Set(items.map(identity));
  let isTelling = false;
  for (const window of await windows(bench, id, 1, Math.min(found.size, PAGES))) {
    const whole = await readPage(bench, id, window);
    isTelling ||= whole.items.some((item) => !found.has(identity(item)));
    const page = await readPage(bench, id, { ...window, ...filter });
    if (page.items.length > 0) continue;
    // Others may have changed meanwhile what the filter finds.
    const again = await readFiltered(bench, id, filter);
    if (again.items.length >= found.size)
      throw violation(
        page.answer,
        `shows nothing on page ${window.page} of limit=1, yet a wide page shows ${found.size} items for the same ${Object.keys(filter).join(" and ")}`,
        "one item: a filter comes before paging",
      );
  }
  return isTelling;
}
