import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { sameItems, shared } from "../../fixtures/identity.ts";
import {
  fitsWidestWindow,
  identityOf,
  locate,
  type Page,
  readPage,
  WIDE,
  widestWindow,
  windows,
} from "../../fixtures/listing.ts";
import { itemsAt } from "../../fixtures/pointer.ts";
import { sendPatiently } from "../../fixtures/positive.ts";
import { judgeTwice, readQuietly, whileQuiet } from "../../fixtures/quiescence.ts";
import { check } from "../../fixtures/test.ts";
import { violation } from "../../fixtures/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { atLeast, windowOf } from "./enough.ts";

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.requirements;
  const scope = "paging";

  check(`${id}/paging/limit-bounds-page`, { level: "MUST", requirements: limit, scope }, async (bench) => {
    await atLeast(bench, id, 2);
    for (const size of [1, 2, 5, WIDE]) {
      const [window = {}] = await windows(bench, id, size, 1);
      const answer = await sendPatiently(bench, id, { query: window });
      if (!isSuccess(answer)) continue;
      const { length } = itemsAt(answer.json, (await locate(bench, id)).pointer);
      if (length > size)
        throw violation(answer, `answered ${length} items to limit=${size}`, `at most ${size}`);
    }
  });

  check(`${id}/paging/pages-differ`, { level: "MUST", requirements: page, scope }, async (bench) => {
    const size = await windowOf(bench, id, 2);
    const [one, two] = await readQuietly(bench, id, await windows(bench, id, size, 2));
    if (!one || !two || one.items.length === 0) return;
    if (sameItems(one.items, two.items, await identityOf(bench, id))) {
      throw violation(
        two.answer,
        `answered the same ${two.items.length} items for one page as for the page before it`,
        "another window of the list",
      );
    }
  });

  check(`${id}/paging/pages-disjoint`, { level: "MUST", requirements: page, scope }, (bench) =>
    judgeTwice(async () => {
      const size = await windowOf(bench, id, 3);
      const pages = await readQuietly(bench, id, await windows(bench, id, size, 3));
      const identity = await identityOf(bench, id);
      for (const [index, earlier] of pages.entries()) {
        for (const later of pages.slice(index + 1)) {
          const both = shared(earlier.items, later.items, identity);
          if (both > 0)
            throw violation(
              later.answer,
              `repeats ${both} items of an earlier page (limit=${size})`,
              "pages that share no item",
            );
        }
      }
    }),
  );

  check(
    `${id}/paging/one-by-one`,
    { level: "MUST", requirements: [...new Set([...limit, ...page])], scope },
    (bench) =>
      judgeTwice(async () => {
        const steps = Math.min(5, (await atLeast(bench, id, 3)) - 1);
        const pages = await readQuietly(bench, id, await windows(bench, id, 1, steps));
        const identity = await identityOf(bench, id);
        const items = pages.flatMap(({ items }) => items.map(identity));
        const last = pages.at(-1);
        if (last && new Set(items).size < items.length) {
          throw violation(
            last.answer,
            `showed ${new Set(items).size} different items on ${steps} pages of limit=1`,
            `${steps} different items`,
          );
        }
        if (last && items.length < steps) {
          throw violation(
            last.answer,
            `showed ${items.length} items on ${steps} pages of limit=1`,
            `${steps} different items`,
          );
        }
      }),
  );

  check(`${id}/paging/union-independent-of-limit`, { level: "MUST", requirements: page, scope }, (bench) =>
    judgeTwice(async () => {
      await comparesUnions(bench, id);
      await walksToTheEnd(bench, id);
    }),
  );

  check(`${id}/paging/repeatable`, { level: "SHOULD", source: "G03", scope }, async (bench) => {
    await atLeast(bench, id, 3);
    // The widest window, since an order that changes moves items out of a smaller one, as new records would.
    const window = await widestWindow(bench, id);
    const [first, ...others] = await readQuietly(bench, id, [window, window, window, window]);
    const identity = await identityOf(bench, id);
    const order = (page: Page | undefined) => JSON.stringify(page?.items.map(identity));
    for (const other of others) {
      if (order(other) === order(first)) continue;
      throw violation(
        other.answer,
        "answered the same request with the items in another order",
        "the same order",
      );
    }
  });

  check(`${id}/paging/full-pages`, { level: "SHOULD", requirements: limit, scope }, async (bench) => {
    const size = await windowOf(bench, id, 2);
    const [one, two] = await readQuietly(bench, id, await windows(bench, id, size, 2));
    if (one && two && one.items.length < size && two.items.length > 0) {
      throw violation(
        one.answer,
        `answered ${one.items.length} items to limit=${size}, yet the next page has more`,
        "a full page",
      );
    }
  });

  check(`${id}/paging/layout`, { level: "OBSERVE", source: "G04", scope }, async (bench) => {
    bench.observe("G04", `the list stands at ${(await locate(bench, id)).pointer || "the root"}`);
  });
}

/** The same stretch of the list must hold the same items, whether it is read in small or in double windows. */
async function comparesUnions(bench: Bench, id: OperationId) {
  const size = Math.max(1, Math.min(5, Math.floor((await atLeast(bench, id, 4)) / 4)));
  const pages = await readQuietly(bench, id, [
    ...(await windows(bench, id, size, 5)),
    ...(await windows(bench, id, size * 2, 2)),
  ]);
  const identity = await identityOf(bench, id);
  const stretch = (...numbers: number[]) => numbers.flatMap((number) => pages[number - 1]?.items ?? []);
  const [one, two] = [pages[5], pages[6]];
  if (!one || !two) return;
  // Pages 1 and 2 make up the first double page where they are counted from 1, pages 2 and 3 where from 0.
  const fits = (offset: number) =>
    sameItems(stretch(1 + offset, 2 + offset), one.items, identity) &&
    sameItems(stretch(3 + offset, 4 + offset), two.items, identity);
  if (!fits(0) && !fits(1)) {
    throw violation(
      one.answer,
      `holds other items for limit=${size * 2} than the two pages of limit=${size} in its place`,
      "the same items, whatever the limit",
    );
  }
}

/** Where the widest page shows the whole list, smaller pages, of which the last is not full, must show it as well. */
async function walksToTheEnd(bench: Bench, id: OperationId) {
  const identity = await identityOf(bench, id);
  const { pointer } = await locate(bench, id);
  const widest = await widestWindow(bench, id);
  const { whole, size, parts } = await whileQuiet(async () => {
    const whole = await readPage(bench, id, widest);
    const { length } = whole.items;
    const size = sizeThatLeavesARest(length);
    const steps = (await fitsWidestWindow(bench, id)) ? Math.ceil(length / size) : 0;
    const parts: Page[] = [];
    for (const window of await windows(bench, id, size, steps)) {
      const answer = await sendPatiently(bench, id, { query: window });
      parts.push({ answer, items: itemsAt(answer.json, pointer) });
    }
    const again = await readPage(bench, id, widest);
    return { value: { whole, size, parts }, quiet: sameItems(whole.items, again.items, identity) };
  });
  const last = parts.at(-1);
  // A size may be refused (N42), and the target be busy.
  if (!last || !parts.every(({ answer }) => isSuccess(answer))) return;
  const shown = parts.flatMap(({ items }) => items);
  const missing = whole.items.length - shared(shown, whole.items, identity);
  if (missing > 0) {
    throw violation(
      last.answer,
      `and the pages before it lack ${missing} of the ${whole.items.length} items that one wide page shows (limit=${size})`,
      "the same items, whatever the limit",
    );
  }
  const twice = shown.length - new Set(shown.map(identity)).size;
  if (twice > 0) {
    throw violation(
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
