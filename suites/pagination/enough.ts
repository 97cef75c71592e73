import type { Bench } from "../../fixtures/bench.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { locate, readPage, widestWindow, windows } from "../../fixtures/listing.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** How many items the widest page shows; throws `Inconclusive` when they are too few to judge. */
export async function atLeast(bench: Bench, id: OperationId, needed: number): Promise<number> {
  const { items } = await readPage(bench, id, await widestWindow(bench, id));
  const [window = {}] = await windows(bench, id, 1, 1);
  const first = await readPage(bench, id, window);
  const seen = Math.max(items.length, first.items.length);
  if (seen < needed)
    throw new Inconclusive(`${seen} items on the widest page, ${needed} are needed: seed more data`);
  return seen;
}

/** A page size that fits `pages` times into the list; where its first page cannot be told, once more. */
export async function windowOf(bench: Bench, id: OperationId, pages: number): Promise<number> {
  const { origin } = await locate(bench, id);
  const needed = origin === undefined ? pages + 1 : pages;
  return Math.min(5, Math.floor((await atLeast(bench, id, needed)) / needed));
}
