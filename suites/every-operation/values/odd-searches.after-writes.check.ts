import { Inconclusive } from "../../../fixtures/engine/http/findings.ts";
import { expectNoItems } from "../../../fixtures/engine/judge/matchers.ts";
import { sendUntriedValues } from "../../../fixtures/engine/judge/varied.ts";
import { sameItems } from "../../../fixtures/engine/lists/identity.ts";
import { identityOf, locate } from "../../../fixtures/engine/lists/locate.ts";
import { readPage } from "../../../fixtures/engine/lists/pages.ts";
import { unusedText } from "../../../fixtures/engine/lists/query.ts";
import { type Basis, check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";

/** A search may find one of its words in several items, but hardly in all of so many. */
const LEAST = 3;

/** A reference is no text to search in, so nothing but the same text may match it. */
const LEVELS: Readonly<Partial<Record<OperationId, Basis>>> = {
  listTransfers: { must: ["R011", "R054"] },
  listRecipients: { critical: ["R012"] },
  listCustomers: { critical: ["R088"] },
  listPageProducts: { critical: ["R078"] },
  listDiscountCodes: { critical: ["R090"] },
};

// Letters outside ASCII, quotation marks or an emoji make some services drop the filter instead of the request.
for (const { id, list } of operations) {
  const level = LEVELS[id];
  if (!list || !level) continue;
  const title = `does not list everything for a ${list.search} with letters, quotation marks and an emoji`;
  check(`${id}/values/odd-search`, title, { ...level, scope: "paging" }, async (ctx) => {
    await requireControl(ctx, id);
    await sendUntriedValues(ctx, id);
    const identity = await identityOf(ctx, id);
    const pages = await unfilteredPages(ctx, id);
    if (!pages.some(({ length }) => length >= LEAST))
      throw new Inconclusive(`the list has fewer than ${LEAST} items`, { advice: "add some" });
    const { itemsIn } = await locate(ctx, id);
    for (const { answer } of ctx.run.varied.filter((one) => one.operation === id && one.answer.isSuccess)) {
      const items = itemsIn(answer.json);
      if (items.length < LEAST || !pages.some((page) => sameItems(page, items, identity))) continue;
      await needWorkingSearch(ctx, id, list.search);
      ctx.note(answer);
      const what = `a ${list.search} with odd characters, the same as without it`;
      expectNoItems({ answer, items }, what, "no items, or a rejection");
    }
  });
}

/** The items of every page of this run that was read without a filter. */
async function unfilteredPages(ctx: CheckContext, id: OperationId) {
  const { itemsIn } = await locate(ctx, id);
  const isUnfiltered = (path: string) =>
    [...new URL(path, ctx.target.baseUrl).searchParams.keys()].every((name) =>
      ["limit", "page", "pageId"].includes(name),
    );
  return ctx.run
    .answersTo(id)
    .filter(({ isSuccess, request }) => isSuccess && isUnfiltered(request.path))
    .map(({ json }) => itemsIn(json));
}

/** Throws `Inconclusive` if an ordinary text that no item has finds something too: other checks judge that. */
async function needWorkingSearch(ctx: CheckContext, id: OperationId, search: string) {
  const { items } = await readPage(ctx, id, { [search]: await unusedText(ctx, id) });
  if (items.length > 0) throw new Inconclusive(`a ${search} that no item has finds something too`);
}
