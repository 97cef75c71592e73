import { Inconclusive } from "../../fixtures/http/findings.ts";
import { expectItems } from "../../fixtures/judge/matchers.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { readFiltered, readPage, windows } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import type { OperationId } from "../../schemas/contract.ts";

/**
 * Demands that the first pages of one item, three at most, show what a filter finds: they would be empty if the API
 * filtered a page only after cutting it. Returns whether they prove that; the first items of the list are on them anyway.
 */
export async function expectFilteredBeforePaging(ctx: CheckContext, id: OperationId, filter: Query) {
  const identity = await identityOf(ctx, id);
  await requireOrigin(ctx, id);
  const { items } = await readFiltered(ctx, id, filter);
  const found = new Set(items.map(identity));
  const names = Object.keys(filter).join(" and ");
  let isProof = false;
  for (const window of await windows(ctx, id, 1, Math.min(found.size, 3))) {
    const whole = await readPage(ctx, id, window);
    isProof ||= whole.items.some((item) => !found.has(identity(item)));
    const page = await readPage(ctx, id, { ...window, ...filter });
    if (page.items.length > 0) continue;
    // Others may have changed what the filter finds.
    const again = await readFiltered(ctx, id, filter);
    if (again.items.length < found.size) continue;
    const when = `page ${window.page} of limit=1, but ${found.size} on a wide page for the same ${names}`;
    expectItems(page, when, "one item: a filter applies before the list is cut into pages");
  }
  return isProof;
}

export async function requireOrigin(ctx: CheckContext, id: OperationId) {
  const { origin } = await locate(ctx, id);
  if (origin === undefined) throw new Inconclusive("the number of the first page could not be found out");
}
