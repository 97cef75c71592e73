import { check } from "../../fixtures/run/check.ts";
import { operations } from "../../schemas/contract.ts";
import { expectUnderFilters, findBeyond, findMissing, findRepeated, findTooLong } from "./judged-pages.ts";

const scope = "paging";

// Section 8: limit and page cut what a filter has selected, as they cut the whole list.
for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit, page } = list.paged;

  check(
    `${id}/paging/filtered-limit`,
    "returns at most limit items under each filter",
    { must: limit, scope },
    (ctx) => expectUnderFilters(ctx, id, findTooLong),
  );

  check(
    `${id}/paging/filtered-pages-disjoint`,
    "shows no item on two pages under each filter",
    { must: page, scope },
    (ctx) => expectUnderFilters(ctx, id, findRepeated),
  );

  check(
    `${id}/paging/filtered-union`,
    "shows the same items for any limit under each filter",
    { must: page, scope },
    (ctx) => expectUnderFilters(ctx, id, findMissing),
  );

  check(
    `${id}/paging/filtered-end`,
    "shows no item again after the last page under each filter",
    { should: "G03", scope },
    (ctx) => expectUnderFilters(ctx, id, findBeyond),
  );
}
