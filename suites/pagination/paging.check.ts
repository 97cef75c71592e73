import { Violation } from "../../fixtures/http/findings.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { fitsWidestWindow, type Page, readPage, widestWindow, windows } from "../../fixtures/lists/pages.ts";
import { judgeTwice, readStable, untilStable } from "../../fixtures/lists/stable-read.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { atLeast, windowOf } from "./enough.ts";

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.requirements;
  const scope = "paging";

  check(`${id}/paging/limit-bounds-page`, "TITLE", { must: limit, scope }, async (ctx) => {
    await atLeast(ctx, id, 2);
    for (const size of [1, 2, 5, 50]) {
      const [window = {}] = await windows(ctx, id, size, 1);
      const answer = await sendWithRetry(ctx, id, { query: window });
      if (!answer.isSuccess) continue;
      const { length } = itemsAt(answer.json, (await locate(ctx, id)).pointer);
      if (length > size)
        throw new Violation(answer, `answered ${length} items to limit=${size}`, `at most ${size}`);
    }
  });

  check(`${id}/paging/pages-differ`, "TITLE", { must: page, scope }, async (ctx) => {
    const size = await windowOf(ctx, id, 2);
    const [one, two] = await readStable(ctx, id, await windows(ctx, id, size, 2));
    if (!one || !two || one.items.length === 0) return;
    if (sameItems(one.items, two.items, await identityOf(ctx, id))) {
      throw new Violation(
        two.answer,
        `answered the same ${two.items.length} items for one page as for the page before it`,
        "another window of the list",
      );
    }
  });

  check(`${id}/paging/pages-disjoint`, "TITLE", { must: page, scope }, (ctx) =>
    judgeTwice(async () => {
      const size = await windowOf(ctx, id, 3);
      const pages = await readStable(ctx, id, await windows(ctx, id, size, 3));
      const identity = await identityOf(ctx, id);
      for (const [index, earlier] of pages.entries()) {
        for (const later of pages.slice(index + 1)) {
          const both = countCommon(earlier.items, later.items, identity);
          if (both > 0)
            throw new Violation(
              later.answer,
              `repeats ${both} items of an earlier page (limit=${size})`,
              "pages that share no item",
            );
        }
      }
    }),
  );

  check(`${id}/paging/one-by-one`, "TITLE", { must: [...new Set([...limit, ...page])], scope }, (ctx) =>
    judgeTwice(async () => {
      const steps = Math.min(5, (await atLeast(ctx, id, 3)) - 1);
      const pages = await readStable(ctx, id, await windows(ctx, id, 1, steps));
      const identity = await identityOf(ctx, id);
      const items = pages.flatMap(({ items }) => items.map(identity));
      const last = pages.at(-1);
      if (last && new Set(items).size < items.length) {
        throw new Violation(
          last.answer,
          `showed ${new Set(items).size} different items on ${steps} pages of limit=1`,
          `${steps} different items`,
        );
      }
      if (last && items.length < steps) {
        throw new Violation(
          last.answer,
          `showed ${items.length} items on ${steps} pages of limit=1`,
          `${steps} different items`,
        );
      }
    }),
  );

  check(`${id}/paging/union-independent-of-limit`, "TITLE", { must: page, scope }, (ctx) =>
    judgeTwice(async () => {
      await comparesUnions(ctx, id);
      await walksToTheEnd(ctx, id);
    }),
  );

  check(`${id}/paging/repeatable`, "TITLE", { should: "G03", scope }, async (ctx) => {
    await atLeast(ctx, id, 3);
    // The widest window, since an order that changes moves items out of a smaller one, as new records would.
    const window = await widestWindow(ctx, id);
    const [first, ...others] = await readStable(ctx, id, [window, window, window, window]);
    const identity = await identityOf(ctx, id);
    const order = (page: Page | undefined) => JSON.stringify(page?.items.map(identity));
    for (const other of others) {
      if (order(other) === order(first)) continue;
      throw new Violation(
        other.answer,
        "answered the same request with the items in another order",
        "the same order",
      );
    }
  });

  check(`${id}/paging/full-pages`, "TITLE", { should: limit, scope }, async (ctx) => {
    const size = await windowOf(ctx, id, 2);
    const [one, two] = await readStable(ctx, id, await windows(ctx, id, size, 2));
    if (one && two && one.items.length < size && two.items.length > 0) {
      throw new Violation(
        one.answer,
        `answered ${one.items.length} items to limit=${size}, yet the next page has more`,
        "a full page",
      );
    }
  });

  check(`${id}/paging/layout`, "TITLE", { observe: "G04", scope }, async (ctx) => {
    ctx.observe("G04", `the list stands at ${(await locate(ctx, id)).pointer || "the root"}`);
  });
}

/** The same stretch of the list must hold the same items, whether it is read in small or in double windows. */
async function comparesUnions(ctx: CheckContext, id: OperationId) {
  const size = Math.max(1, Math.min(5, Math.floor((await atLeast(ctx, id, 4)) / 4)));
  const pages = await readStable(ctx, id, [
    ...(await windows(ctx, id, size, 5)),
    ...(await windows(ctx, id, size * 2, 2)),
  ]);
  const identity = await identityOf(ctx, id);
  const stretch = (...numbers: number[]) => numbers.flatMap((number) => pages[number - 1]?.items ?? []);
  const [one, two] = [pages[5], pages[6]];
  if (!one || !two) return;
  // Pages 1 and 2 make up the first double page where they are counted from 1, pages 2 and 3 where from 0.
  const fits = (offset: number) =>
    sameItems(stretch(1 + offset, 2 + offset), one.items, identity) &&
    sameItems(stretch(3 + offset, 4 + offset), two.items, identity);
  if (!fits(0) && !fits(1)) {
    throw new Violation(
      one.answer,
      `holds other items for limit=${size * 2} than the two pages of limit=${size} in its place`,
      "the same items, whatever the limit",
    );
  }
}

/** Where the widest page shows the whole list, smaller pages, of which the last is not full, must show it as well. */
async function walksToTheEnd(ctx: CheckContext, id: OperationId) {
  const identity = await identityOf(ctx, id);
  const { pointer } = await locate(ctx, id);
  const widest = await widestWindow(ctx, id);
  const { whole, size, parts } = await untilStable(async () => {
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
  const last = parts.at(-1);
  // A size may be refused (N42), and the target be busy.
  if (!last || !parts.every(({ answer }) => answer.isSuccess)) return;
  const shown = parts.flatMap(({ items }) => items);
  const missing = whole.items.length - countCommon(shown, whole.items, identity);
  if (missing > 0) {
    throw new Violation(
      last.answer,
      `and the pages before it lack ${missing} of the ${whole.items.length} items that one wide page shows (limit=${size})`,
      "the same items, whatever the limit",
    );
  }
  const twice = shown.length - new Set(shown.map(identity)).size;
  if (twice > 0) {
    throw new Violation(
      last.answer,
      `and the pages before it show ${twice} items once more (limit=${size})`,
      "each item on one page",
    );
  }
}

/** A page size of about a quarter of so many items, with which the last page is not full. */
function sizeThatLeavesARest(length: number): number {
  let size = Math.max(2, Math.ceil(length / 4));
  while (length % size === 0 && size < length) size += 1;
  return size;
}
