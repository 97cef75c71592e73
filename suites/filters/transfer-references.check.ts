import { TooFew } from "../../fixtures/http/findings.ts";
import { knownFilters } from "../../fixtures/lists/known-filters.ts";
import { check } from "../../fixtures/run/check.ts";
import { expectDisjoint } from "./transfer-sets.ts";

// Section 4.8: what the filter transferReference selects, together with status.
check(
  "listTransfers/status-sets-disjoint-for-reference",
  "lists a transfer that is asked for by reference under one status only",
  { must: ["R011", "R019"], scope: "paging" },
  async (ctx) => {
    const known = await knownFilters(ctx, "listTransfers");
    const found = known.find(({ filter }) => "transferReference" in filter);
    if (found) return expectDisjoint(ctx, found.filter);
    throw new TooFew("no transfer is found by a reference that the list shows");
  },
);
