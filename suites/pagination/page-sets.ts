import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import {
  fitsWidestWindow,
  type Page,
  pairsOf,
  readStable,
  readWidest,
  untilStable,
  windows,
} from "../../fixtures/lists/pages.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { atLeast, windowOf } from "./reads.ts";

export const expectDisjointPages = judgedTwice(async (ctx, id) => {
  const size = await windowOf(ctx, id, 3);
  const pages = await readStable(ctx, id, await windows(ctx, id, size, 3));
  const identity = await identityOf(ctx, id);
  for (const [earlier, { answer, items }] of pairsOf(pages)) {
    const common = countCommon(earlier.items, items, identity);
    const actual = `returned ${plural(common, "item")} of an earlier page again (limit=${size})`;
    expectThat(common === 0, answer, actual, "pages that have no item in common");
  }
});

/** Demands that pages of one item show different items. */
export const expectDifferentItems = judgedTwice(async (ctx, id) => {
  const steps = Math.min(5, (await atLeast(ctx, id, 3)) - 1);
  const pages = await readStable(ctx, id, await windows(ctx, id, 1, steps));
  const identity = await identityOf(ctx, id);
  const items = pages.flatMap((page) => page.items.map(identity));
  const different = new Set(items).size;
  const last = pages.at(-1);
  if (!last) return;
  const isFull = different === items.length && items.length >= steps;
  const actual = `returned ${plural(different, "different item")} on ${steps} pages of limit=1`;
  expectThat(isFull, last.answer, actual, `${steps} different items`);
});

export const expectSameItems = judgedTwice(async (ctx, id) => {
  await expectSameUnion(ctx, id);
  await expectEveryItemOnce(ctx, id);
});

/** Lets a judge of a list read it again after a violation: what others add behind the first window shows only once. */
function judgedTwice(judge: (ctx: CheckContext, id: OperationId) => Promise<void>): typeof judge {
  return async (ctx, id) => {
    try {
      await judge(ctx, id);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      await judge(ctx, id);
      throw new Inconclusive(`moving data: it ${error.message}, but not when it was read again`);
    }
  };
}

/** Demands that two pages of double size hold the same items as the four pages in their place. */
async function expectSameUnion(ctx: CheckContext, id: OperationId) {
  const size = Math.max(1, Math.min(5, Math.floor((await atLeast(ctx, id, 4)) / 4)));
  const small = await windows(ctx, id, size, 5);
  const pages = await readStable(ctx, id, [...small, ...(await windows(ctx, id, size * 2, 2))]);
  const identity = await identityOf(ctx, id);
  const union = (from: number) => pages.slice(from, from + 2).flatMap(({ items }) => items);
  const [one, two] = pages.slice(5);
  if (!one || !two) return;
  // The first double page holds pages 1 and 2 if pages are counted from 1, and pages 2 and 3 if they are from 0.
  const fits = (offset: number) =>
    sameItems(union(offset), one.items, identity) && sameItems(union(offset + 2), two.items, identity);
  const actual = `returned other items for limit=${size * 2} than on the two pages of limit=${size} in its place`;
  expectThat(fits(0) || fits(1), one.answer, actual, "the same items, whatever the limit");
}

/**
 * Demands that small pages, of which the last is not full, show every item of the list once. Judges nothing if the
 * widest page does not show the whole list.
 */
async function expectEveryItemOnce(ctx: CheckContext, id: OperationId) {
  const identity = await identityOf(ctx, id);
  const { whole, size, parts } = await readWholeAndParts(ctx, id);
  const last = parts.at(-1);
  // The API may reject a size (N42) or be busy.
  if (!last || !parts.every(({ answer }) => answer.isSuccess)) return;
  const shown = parts.flatMap(({ items }) => items);
  const missing = whole.length - countCommon(shown, whole, identity);
  const lacking = `returned pages of limit=${size} that lack ${missing} of the ${whole.length} items on one wide page`;
  expectThat(missing <= 0, last.answer, lacking, "the same items, whatever the limit");
  // The page after the wide one is empty, so these items are on no page of its size.
  const further = shown.length - countCommon(whole, shown, identity);
  const hidden = `returned ${plural(further, "item")} on pages of limit=${size} that one wide page lacks`;
  expectThat(further === 0, last.answer, hidden, "the same items, whatever the limit");
  const repeated = shown.length - new Set(shown.map(identity)).size;
  const repeating = `returned pages of limit=${size} that repeat ${plural(repeated, "item")}`;
  expectThat(repeated === 0, last.answer, repeating, "each item on one page");
}

/** Reads no small pages if the widest one does not show the whole list. */
async function readWholeAndParts(ctx: CheckContext, id: OperationId) {
  const identity = await identityOf(ctx, id);
  const { pointer } = await locate(ctx, id);
  return untilStable(async () => {
    const { items: whole } = await readWidest(ctx, id);
    const size = sizeThatLeavesARest(whole.length);
    const steps = (await fitsWidestWindow(ctx, id)) ? Math.ceil(whole.length / size) : 0;
    const parts: Page[] = [];
    for (const query of await windows(ctx, id, size, steps)) {
      const answer = await sendWithRetry(ctx, id, { query });
      parts.push({ answer, items: itemsAt(answer.json, pointer) });
    }
    const again = await readWidest(ctx, id);
    return { value: { whole, size, parts }, stable: sameItems(whole, again.items, identity) };
  });
}

/** A page size of about a quarter of `length`, with which the last page is not full. */
function sizeThatLeavesARest(length: number): number {
  let size = Math.max(2, Math.ceil(length / 4));
  while (length % size === 0 && size < length) size += 1;
  return size;
}
