import { Inconclusive } from "../../fixtures/http/findings.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readPage, widestWindow, windows } from "../../fixtures/lists/pages.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { plural } from "../../reports/text/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** Counts the items on the widest page; throws `Inconclusive` if there are fewer than needed. */
export async function atLeast(ctx: CheckContext, id: OperationId, needed: number): Promise<number> {
  const { items } = await readPage(ctx, id, await widestWindow(ctx, id));
  const [window = {}] = await windows(ctx, id, 1, 1);
  const first = await readPage(ctx, id, window);
  const seen = Math.max(items.length, first.items.length);
  if (seen < needed)
    throw new Inconclusive(
      `the widest page has ${plural(seen, "item")}, but this check needs ${needed}: add data`,
    );
  return seen;
}

/** Chooses a page size, 5 at most, that fills `pages` pages, and one more if the first page is unknown. */
export async function windowOf(ctx: CheckContext, id: OperationId, pages: number): Promise<number> {
  const { origin } = await locate(ctx, id);
  const needed = origin === undefined ? pages + 1 : pages;
  return Math.min(5, Math.floor((await atLeast(ctx, id, needed)) / needed));
}

/** Throws `Inconclusive` if the number of the list's first page could not be found out. */
export async function requireOrigin(ctx: CheckContext, id: OperationId) {
  const { origin } = await locate(ctx, id);
  if (origin === undefined) throw new Inconclusive("the number of the first page could not be found out");
}
