import { check } from "../../fixtures/run/check.ts";
import { operations } from "../../schemas/contract.ts";
import { expectUnderFilters } from "./judged-pages.ts";
import { findBeyond, findMissing, findRepeated, findTooLong } from "./page-judges.ts";

// Section 8: limit and page cut what a filter has selected, as they cut the whole list.
for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.paged;

  for (const [name, title, level, judge] of [
    ["limit", "returns at most limit items", { must: limit }, findTooLong],
    ["pages-disjoint", "shows no item on two pages", { must: page }, findRepeated],
    ["union", "shows the same items for any limit", { must: page }, findMissing],
    ["end", "shows no item again after the last page", { should: "G03" }, findBeyond],
  ] as const)
    check(
      `${id}/paging/filtered-${name}`,
      `${title} under each filter`,
      { ...level, scope: "paging" },
      (ctx) => expectUnderFilters(ctx, id, judge),
    );
}
