import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { fitsWidestWindow, type Page, readPage, widestWindow, windows } from "../../fixtures/lists/pages.ts";
import { readStable, untilStable } from "../../fixtures/lists/stable-read.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { atLeast } from "./enough.ts";

/** Demands that two pages of double size hold the same items as the four pages in their place. */
export async function expectSameUnion(ctx: CheckContext, id: OperationId) {
  const size = Math.max(1, Math.min(5, Math.floor((await atLeast(ctx, id, 4)) / 4)));
  const pages = await readStable(ctx, id, [
    ...(await windows(ctx, id, size, 5)),
    ...(await windows(ctx, id, size * 2, 2)),
  ]);
  const identity = await identityOf(ctx, id);
  const union = (...numbers: number[]) => numbers.flatMap((number) => pages[number - 1]?.items ?? []);
  const [one, two] = [pages[5], pages[6]];
  if (!one || !two) return;
  // The first double page holds pages 1 and 2 if pages are counted from 1, and pages 2 and 3 if they are from 0.
  const fits = (offset: number) =>
    sameItems(union(1 + offset, 2 + offset), one.items, identity) &&
    sameItems(union(3 + offset, 4 + offset), two.items, identity);
  expectThat(
    fits(0) || fits(1),
    one.answer,
    `returned other items for limit=${size * 2} than on the two pages of limit=${size} in its place`,
    "the same items, whatever the limit",
  );
}

/**
 * Demands that small pages, of which the last is not full, show every item of the list once. Judges nothing if the
 * widest page does not show the whole list.
 */
export async function expectEveryItemOnce(ctx: CheckContext, id: OperationId) {
  const identity = await identityOf(ctx, id);
  const { whole, size, parts } = await readWholeAndParts(ctx, id);
  const last = parts.at(-1);
  // The API may reject a size (N42) or be busy.
  if (!last || !parts.every(({ answer }) => answer.isSuccess)) return;
  const shown = parts.flatMap(({ items }) => items);
  const missing = whole.items.length - countCommon(shown, whole.items, identity);
  expectThat(
    missing <= 0,
    last.answer,
    `returned pages of limit=${size} that lack ${missing} of the ${whole.items.length} items on one wide page`,
    "the same items, whatever the limit",
  );
  const repeated = shown.length - new Set(shown.map(identity)).size;
  expectThat(
    repeated === 0,
    last.answer,
    `returned pages of limit=${size} that repeat ${plural(repeated, "item")}`,
    "each item on one page",
  );
}

/** Reads the list on its widest page and on small ones; reads no small ones if the widest page does not show it all. */
async function readWholeAndParts(ctx: CheckContext, id: OperationId) {
  const identity = await identityOf(ctx, id);
  const { pointer } = await locate(ctx, id);
  const widest = await widestWindow(ctx, id);
  return untilStable(async () => {
    const whole = await readPage(ctx, id, widest);
    const { length } = whole.items;
    const size = sizeThatLeavesARest(length);
    const steps = (await fitsWidestWindow(ctx, id)) ? Math.ceil(length / size) : 0;
    const parts: Page[] = [];
    for (const window of await windows(ctx, id, size, steps)) {
      const answer = await sendWithRetry(ctx, id, { query: window });
      parts.push({ answer, items: itemsAt(answer.json, pointer) });
    }
    const again = await readPage(ctx, id, widest);
    return { value: { whole, size, parts }, stable: sameItems(whole.items, again.items, identity) };
  });
}

/** A page size of about a quarter of `length`, with which the last page is not full. */
function sizeThatLeavesARest(length: number): number {
  let size = Math.max(2, Math.ceil(length / 4));
  while (length % size === 0 && size < length) size += 1;
  return size;
}
