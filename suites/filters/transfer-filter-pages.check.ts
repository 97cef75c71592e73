import { Inconclusive } from "../../fixtures/http/findings.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems } from "../../fixtures/lists/identity.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { type Page, readPage, readWidest, untilStable, windows } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { plural } from "../../reports/text/wording.ts";
import { expectFilteredBeforePaging, requireOrigin } from "./filtered-pages.ts";
import { readSets, type StatusSet } from "./transfer-sets.ts";

const LIST = "listTransfers";
const should = { should: ["R011", "R057"], scope: "paging" } as const;

// Section 4.8: limit and page cut what the filter status has selected.
check(
  "listTransfers/status-filter-with-paging",
  "lists the same transfers of a status whatever the limit",
  should,
  async (ctx) => {
    const identity = await identityOf(ctx, LIST);
    const [largest] = (await readSets(ctx)).toSorted((a, b) => b.items.length - a.items.length);
    if (!largest || largest.items.length < 3) throw new Inconclusive("no status has 3 transfers: add data");
    await requireOrigin(ctx, LIST);
    const { wide, size, pages } = await readWideAndSmall(ctx, largest);
    const small = pages.flatMap(({ items }) => items);
    const last = pages.at(-1);
    if (!last) return;
    const isPart = countCommon(wide, small, identity) === small.length;
    const isSame = isPart && new Set(small.map(identity)).size === small.length;
    const other = `lists other transfers on the small pages of status=${largest.status} than on its wide page`;
    expectThat(isSame, last.answer, other, "the same transfers");
    // Pages need not be full.
    const few = `lists ${plural(small.length, "transfer")} on three pages of status=${largest.status} with limit=${size}`;
    expectThat(small.length >= 2 * size, last.answer, few, `at least ${2 * size}`);
  },
);

check(
  "listTransfers/status-before-paging",
  "applies status before it cuts the list into pages",
  should,
  async (ctx) => {
    const sets = (await readSets(ctx)).filter(({ items }) => items.length > 0);
    // Rare transfers are the least likely to be at the beginning of the list.
    for (const { status } of sets.toSorted((a, b) => a.items.length - b.items.length))
      if (await expectFilteredBeforePaging(ctx, LIST, { status })) return;
    throw new Inconclusive("the transfers of every status are at the beginning of the list: add data");
  },
);

async function readWideAndSmall(ctx: CheckContext, { status }: StatusSet) {
  const identity = await identityOf(ctx, LIST);
  return untilStable(async () => {
    const { items: wide } = await readWidest(ctx, LIST, { status });
    const size = Math.max(1, Math.floor(wide.length / 3));
    const pages: Page[] = [];
    for (const window of await windows(ctx, LIST, size, 3))
      pages.push(await readPage(ctx, LIST, { ...window, status }));
    const again = await readWidest(ctx, LIST, { status });
    return { value: { wide, size, pages }, stable: sameItems(wide, again.items, identity) };
  });
}
