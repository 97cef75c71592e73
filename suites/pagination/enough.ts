import { Inconclusive } from "../../fixtures/http/findings.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readPage, widestWindow, windows } from "../../fixtures/lists/pages.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** How many items the widest page shows; throws `Inconclusive` when they are too few to judge. */
export async function atLeast(ctx: CheckContext, id: OperationId, needed: number): Promise<number> {
  const { items } = await readPage(ctx, id, await widestWindow(ctx, id));
  const [window = {}] = await windows(ctx, id, 1, 1);
  const first = await readPage(ctx, id, window);
  const seen = Math.max(items.length, first.items.length);
  if (seen < needed)
    throw new Inconclusive(`${seen} items on the widest page, ${needed} are needed: seed more data`);
  return seen;
}

/** A page size that fits `pages` times into the list; where its first page cannot be told, once more. */
export async function windowOf(ctx: CheckContext, id: OperationId, pages: number): Promise<number> {
  const { origin } = await locate(ctx, id);
  const needed = origin === undefined ? pages + 1 : pages;
  return Math.min(5, Math.floor((await atLeast(ctx, id, needed)) / needed));
}
