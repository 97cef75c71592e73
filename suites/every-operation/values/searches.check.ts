import {
  acceptedRows,
  type CheckContext,
  checksIn,
  demand,
  demandItems,
  listOf,
  type Page,
  sameItems,
  scalars,
  sendOtherRows,
  skip,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";

const check = checksIn("after-writes");

/** A search may find one of its words in several items, but hardly in all of this many. */
const LEAST = 3;

const SEARCHES: Readonly<Partial<Record<OperationId, readonly RequirementId[]>>> = {
  listTransfers: ["R011", "R054"],
  listRecipients: ["R012"],
  listCustomers: ["R088"],
  listPageProducts: ["R078"],
  listDiscountCodes: ["R090"],
};

// Letters outside ASCII, quotation marks or an emoji make some services drop the filter instead of the request.
for (const { id, list } of operations) {
  const rules = SEARCHES[id];
  if (!list || !rules) continue;
  // A reference is no text to search in, so nothing but the same text may match it.
  const level = id === "listTransfers" ? { must: rules } : { should: rules };
  const title = `does not list everything for a ${list.search} with letters, quotation marks and an emoji`;
  check(`${id}/values/odd-search`, title, { ...level, scope: "paging" }, async (ctx) => {
    await ctx.ordinary(id);
    await sendOtherRows(ctx, id);
    const { itemsIn } = await listOf(ctx, id).located();
    if ((await listOf(ctx, id).page({})).items.length < LEAST)
      undecided(`the list has fewer than ${LEAST} items`, { advice: "add some" });
    const searched = acceptedRows(ctx, id).filter(({ row }) =>
      row.some((choice) => "field" in choice && choice.value !== ""),
    );
    for (const { response } of searched) {
      if (itemsIn(response.json).length < LEAST) continue;
      // The list may have got items since then.
      const found = await listOf(ctx, id).itemsOf(await ctx.sendAgain(response));
      if (found.items.length < LEAST || !(await isLikeUnfiltered(ctx, id, found))) continue;
      await needWorkingSearch(ctx, id, list.search);
      const what = `a ${list.search} with odd characters, the same as without it`;
      demandItems(found, "none", what, "no items, or a rejection");
    }
  });
}

const USUAL = /^(?=.*[a-z]{4})[a-z\d. -]+$/i;

/** Texts that an index or a query may take for something else, or not hold. */
const UNUSUAL: readonly (readonly [what: string, RegExp])[] = [
  ["letters outside ASCII", /^(?=.*(?![a-z])\p{L})[\p{L}\p{M}\d'. -]+$/iu],
  ["an apostrophe", /^[a-z. -]*'[a-z. -]*$/i],
  ["other signs", /[^\p{L}\p{M}\p{N}'. -]/u],
  ["a word of more than 20 letters", /^[a-z ]*[a-z]{21}[a-z ]*$/i],
  ["short words", /^[a-z]{1,3}( [a-z]{1,3})*$/i],
];

// A search that finds some names by themselves finds the others so, too: what it looks for is written as it is in the list.
for (const { id, list, fresh } of operations) {
  if (!list || fresh !== "search") continue;
  const title = `finds ${list.item}s by the whole of a text with unusual letters, signs or words`;
  const level = { critical: SEARCHES[id] ?? "N40", scope: "paging" } as const;
  check(`${id}/values/unusual-names`, title, level, async (ctx) => {
    await ctx.ordinary(id);
    const identity = await listOf(ctx, id).identity();
    const { items } = await listOf(ctx, id).first();
    const isFound = async (text: string, item: unknown) => {
      const page = await listOf(ctx, id).widest({ [list.search]: text });
      return { page, isFound: page.items.some((one) => identity(one) === identity(item)) };
    };
    const at: RegExp = list.at ?? /name/i;
    const texts = items.flatMap((item) =>
      scalars(item).flatMap(([path, value]) =>
        typeof value === "string" && at.test(path) ? [{ item, path, text: value }] : [],
      ),
    );
    const unusual = UNUSUAL.flatMap(([what, pattern]) => {
      const one = texts.find(({ text }) => pattern.test(text));
      return one ? [{ what, ...one }] : [];
    });
    if (unusual.length === 0) skip(`no ${list.item} has such a text`);
    for (const { what, item, path, text } of unusual) {
      const like = texts.find((one) => one.path === path && USUAL.test(one.text));
      if (!like || !(await isFound(like.text, like.item)).isFound) continue;
      const { page, isFound: finds } = await isFound(text, item);
      if (finds || !(await isFound(like.text, like.item)).isFound) continue;
      const actual = `does not find the ${list.item} whose ${path} is ${text} (${what}) by this text, but finds ${like.text} so`;
      demand(false, page.response, actual, "the item that has the text");
    }
  });
}

/** Whether a page has the same items as without a filter; asked twice, since other checks may be adding items. */
async function isLikeUnfiltered(ctx: CheckContext, id: OperationId, { items }: Page): Promise<boolean> {
  const identity = await listOf(ctx, id).identity();
  const isSame = async () => sameItems((await listOf(ctx, id).page({})).items, items, identity);
  return (await isSame()) || (await isSame());
}

/** Throws `Inconclusive` if an ordinary text that no item has finds something too: other checks judge that. */
async function needWorkingSearch(ctx: CheckContext, id: OperationId, search: string) {
  const { items } = await listOf(ctx, id).page({ [search]: await listOf(ctx, id).unusedText() });
  if (items.length > 0) undecided(`a ${search} that no item has finds something too`);
}
