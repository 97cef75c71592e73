import { Inconclusive, TooFew } from "../../fixtures/http/findings.ts";
import { sameItems } from "../../fixtures/lists/identity.ts";
import { type KnownFilter, knownFilters } from "../../fixtures/lists/known-filters.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { readWidest, untilStable } from "../../fixtures/lists/pages.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { plural } from "../../reports/text/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { type Judge, wordsFor } from "./page-judges.ts";
import { readPages } from "./pages-of-sizes.ts";
import { itemOf } from "./reads.ts";

/**
 * Demands that a judge finds nothing wrong with the pages of any filter of a list that finds something. Others may
 * change the list meanwhile, so what is wrong must show again while the filter finds the same items before and after.
 */
export async function expectUnderFilters(ctx: CheckContext, id: OperationId, judge: Judge) {
  for (const known of await requireFilters(ctx, id)) await expectOfPages(ctx, id, known, judge);
}

/** As {@link expectUnderFilters}, of one filter. */
export async function expectOfPages(ctx: CheckContext, id: OperationId, known: KnownFilter, judge: Judge) {
  const identity = await identityOf(ctx, id);
  const key = `pages/${id}/${JSON.stringify(known.filter)}/${known.answer.requestId}`;
  const pages = await ctx.run.once(key, () => readPages(ctx, id, known));
  for (const { answer } of [...pages.walks.flatMap((one) => one.pages), ...pages.beyond]) ctx.note(answer);
  if (judge(pages, identity)) await confirm(ctx, id, known, judge);
}

/** Filters that find something; throws `Inconclusive` if none finds two items. */
async function requireFilters(ctx: CheckContext, id: OperationId) {
  const filters = await knownFilters(ctx, id);
  const most = Math.max(0, ...filters.map(({ items }) => items.length));
  if (most >= 2) return filters;
  const { items } = await readWidest(ctx, id);
  const item = itemOf(id);
  throw new TooFew(
    `the list has ${plural(items.length, item)}, of which no filter that this run knows finds more than ${most}, but this check needs 2`,
    { advice: `add ${item}s that share a status or a word` },
  );
}

async function confirm(
  ctx: CheckContext,
  id: OperationId,
  { filter, items: first }: KnownFilter,
  judge: Judge,
) {
  const identity = await identityOf(ctx, id);
  const { pages, items } = await untilStable(async () => {
    const before = await readWidest(ctx, id, filter);
    const pages = await readPages(ctx, id, { filter, ...before });
    const after = await readWidest(ctx, id, filter);
    const stable = sameItems(before.items, after.items, identity);
    return { value: { pages, items: before.items }, stable };
  });
  const found = judge(pages, identity);
  if (found) throw found;
  // If others added or removed items during the first reading, the second one is right.
  if (sameItems(first, items, identity))
    throw new Inconclusive(
      `moving data: the pages ${wordsFor(filter)} were wrong, but not when they were read again`,
      { advice: "repeat the run while no one else uses the deployment" },
    );
}
