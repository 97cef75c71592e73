import { Inconclusive } from "../../fixtures/http/findings.ts";
import { sameItems } from "../../fixtures/lists/identity.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { readFiltered, readWidest } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { expectFilteredBeforePaging } from "./filtered-pages.ts";
import { expectDisjoint } from "./transfer-sets.ts";

const LIST = "listTransfers";
const scope = "paging";

// Section 4.8: what the filter transferReference selects, together with limit and page and with status.
check(
  "listTransfers/reference-before-paging",
  "applies transferReference before it cuts the list into pages",
  { critical: ["R011", "R057"], scope },
  async (ctx) => {
    for await (const filter of referenceFilters(ctx))
      if (await expectFilteredBeforePaging(ctx, LIST, filter)) return;
    throw new Inconclusive(
      "no transfer after the first in the list is found by a reference that the list shows",
    );
  },
);

check(
  "listTransfers/status-sets-disjoint-for-reference",
  "lists a transfer that is asked for by reference under one status only",
  { must: ["R011", "R019"], scope },
  async (ctx) => {
    for await (const filter of referenceFilters(ctx)) return expectDisjoint(ctx, filter);
    throw new Inconclusive("no transfer is found by a reference that the list shows");
  },
);

/** Yields filters that find exactly one transfer, of the last five on the widest page, by a reference that it shows. */
async function* referenceFilters(ctx: CheckContext) {
  const identity = await identityOf(ctx, LIST);
  const { items } = await readWidest(ctx, LIST);
  for (const item of items.toReversed().slice(0, 5)) {
    for (const [path, value] of scalars(item)) {
      if (!/ref(erence)?$/i.test(path)) continue;
      const filter = { transferReference: String(value) };
      const found = (await readFiltered(ctx, LIST, filter)).items;
      if (found.length === 1 && sameItems(found, [item], identity)) yield filter;
    }
  }
}
