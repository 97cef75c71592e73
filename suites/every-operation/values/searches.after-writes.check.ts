import { Inconclusive } from "../../../fixtures/engine/http/findings.ts";
import { expectNoItems, expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { isField, sendOtherRows } from "../../../fixtures/engine/judge/rows.ts";
import { hasInAnyCase, pathInRecord, sameItems, scalars } from "../../../fixtures/engine/lists/items.ts";
import { identityOf, locate, type Page, readPage, unusedText } from "../../../fixtures/engine/lists/list.ts";
import { type Basis, check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { plural } from "../../../reports/wording.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";
import { readTolerated } from "../lists/reads.ts";

/** A search may find one of its words in several items, but hardly in all of this many. */
const LEAST = 3;

/** The requirements of each list's search. */
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
  const level: Basis = id === "listTransfers" ? { must: rules } : { should: rules };
  const title = `does not list everything for a ${list.search} with letters, quotation marks and an emoji`;
  check(`${id}/values/odd-search`, title, { ...level, scope: "paging" }, async (ctx) => {
    await requireControl(ctx, id);
    await sendOtherRows(ctx, id);
    const identity = await identityOf(ctx, id);
    const pages = await unfilteredPages(ctx, id);
    if (!pages.some(({ length }) => length >= LEAST))
      throw new Inconclusive(`the list has fewer than ${LEAST} items`, { advice: "add some" });
    const { itemsIn } = await locate(ctx, id);
    for (const { response } of ctx.run.varied.filter(
      ({ operation, row, response }) => operation === id && row.some(isField) && response.isSuccess,
    )) {
      const items = itemsIn(response.json);
      if (items.length < LEAST || !pages.some((page) => sameItems(page, items, identity))) continue;
      await needWorkingSearch(ctx, id, list.search);
      ctx.note(response);
      const what = `a ${list.search} with odd characters, the same as without it`;
      expectNoItems({ response, items }, what, "no items, or a rejection");
    }
  });
}

// In SQL, LIKE takes these signs for wildcards.
for (const { id, list } of operations) {
  if (!list) continue;
  const title = `searches for a percent sign and an underscore in ${list.search} as for any other sign`;
  check(`${id}/values/wildcards`, title, { should: "N40", scope: "paging" }, async (ctx) => {
    await requireControl(ctx, id);
    for (const sign of ["%", "_"]) {
      const found = await readPage(ctx, id, { [list.search]: sign });
      const isFoundInAll = found.items.every((item) => textsIn(item).some((text) => text.includes(sign)));
      if (found.items.length < LEAST || isFoundInAll) continue;
      if (!(await isLikeUnfiltered(ctx, id, found))) continue;
      await needWorkingSearch(ctx, id, list.search);
      expectNoItems(found, `${list.search} ${sign}, the same as without it`, "only items with this sign");
    }
  });
}

// In many languages, the text 0 counts as false, and then it looks as if there were no filter.
for (const { id, list } of operations) {
  const rules = SEARCHES[id];
  if (!list || !rules) continue;
  const title = `does not list everything for ${list.search}=0`;
  check(`${id}/values/zero`, title, { should: rules, scope: "paging" }, async (ctx) => {
    await requireControl(ctx, id);
    const found = await readTolerated(ctx, id, { [list.search]: "0" });
    if (found.items.length < LEAST || !(await isLikeUnfiltered(ctx, id, found))) return;
    await needWorkingSearch(ctx, id, list.search);
    const isMatch = await learnMatch(ctx, id, found.items);
    const others = found.items.filter((item) => !isMatch(item, "0"));
    const actual = `lists ${plural(others.length, list.item)} without a 0 for ${list.search}=0, the same as without it`;
    expectThat(others.length === 0, found.response, actual, "only items with a 0, or a rejection");
  });
}

/** Where a record shows what its list's search compares; its id, its dates and its numbers are not searched. */
const SEARCHED: Readonly<Partial<Record<OperationId, RegExp>>> = {
  listTransfers: contract.listTransfers.list.at,
  listRecipients: contract.listRecipients.list.at,
  listDiscountCodes: /code$/i,
};
const NOT_AN_ID = /(?<!id)$/i;
const DATE = /^\d{4}-\d\d-\d\d/;

/**
 * Learns from a single character, with which a text of these items begins, whether a search finds parts of texts or whole
 * ones only. Throws `Inconclusive` if it finds items that do not show the character: it searches what the list does not
 * show, or ignores short texts.
 */
async function learnMatch(ctx: CheckContext, id: OperationId, items: readonly unknown[]) {
  const { list }: Operation = contract[id];
  const textsOf = (item: unknown) =>
    scalars(item).flatMap(([path, value]) =>
      typeof value === "string" && !DATE.test(value) && (SEARCHED[id] ?? NOT_AN_ID).test(pathInRecord(path))
        ? [value]
        : [],
    );
  const shows = (item: unknown, text: string) => textsOf(item).some((own) => hasInAnyCase(own, text));
  const beginnings = items.flatMap(textsOf).map((text) => text.charAt(0));
  const countOf = (text: string) => items.filter((item) => shows(item, text)).length;
  const [rarest] = [...new Set(beginnings)]
    .filter((text) => /[a-z1-9]/i.test(text))
    .toSorted((a, b) => countOf(a) - countOf(b));
  if (rarest === undefined) throw new Inconclusive(`no item shows a text that ${list?.search} may find`);
  const known = await readTolerated(ctx, id, { [list?.search ?? ""]: rarest });
  if (known.items.some((item) => !shows(item, rarest)))
    throw new Inconclusive(`${list?.search}=${rarest} finds items that do not show it`);
  if (known.items.length > 0) return shows;
  const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u);
  return (item: unknown, text: string) => textsOf(item).flatMap(wordsOf).includes(text);
}

/** Whether a page has the same items as without a filter; asked twice, since other checks may be adding items. */
async function isLikeUnfiltered(ctx: CheckContext, id: OperationId, { items }: Page): Promise<boolean> {
  const identity = await identityOf(ctx, id);
  const isSame = async () => sameItems((await readPage(ctx, id, {})).items, items, identity);
  return (await isSame()) || (await isSame());
}

/** All texts in a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];

/** The items of every page of this run that was read without a filter. */
async function unfilteredPages(ctx: CheckContext, id: OperationId) {
  const { itemsIn } = await locate(ctx, id);
  const isUnfiltered = (path: string) =>
    [...new URL(path, ctx.target.baseUrl).searchParams.keys()].every((name) =>
      ["limit", "page", "pageId"].includes(name),
    );
  return ctx.run
    .responsesTo(id)
    .filter(({ isSuccess, request }) => isSuccess && isUnfiltered(request.path))
    .map(({ json }) => itemsIn(json));
}

/** Throws `Inconclusive` if an ordinary text that no item has finds something too: other checks judge that. */
async function needWorkingSearch(ctx: CheckContext, id: OperationId, search: string) {
  const { items } = await readPage(ctx, id, { [search]: await unusedText(ctx, id) });
  if (items.length > 0) throw new Inconclusive(`a ${search} that no item has finds something too`);
}
