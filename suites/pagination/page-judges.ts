import { Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { countCommon, type Identity } from "../../fixtures/lists/identity.ts";
import type { Page } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import { plural } from "../../reports/text/wording.ts";
import type { JudgedPages } from "./pages-of-sizes.ts";
import { furtherOn } from "./walk.ts";

/** What is wrong with the pages of a filter; `undefined` if nothing is. */
export type Judge = (pages: JudgedPages, identity: Identity) => Violation | undefined;

/** Finds a page with more items than limit. */
export const findTooLong: Judge = ({ filter, walks }) => {
  for (const { size, pages } of walks) {
    const long = pages.find(({ items }) => items.length > size);
    const actual = `returned ${plural(long?.items.length ?? 0, "item")} for ${wordsFor({ limit: size, ...filter })}`;
    if (long) return new Violation(long.answer, actual, `at most ${size}`);
  }
  return undefined;
};

/** Finds a page with items of an earlier one. */
export const findRepeated: Judge = ({ filter, walks }, identity) => {
  for (const { size, pages } of walks) {
    for (const [index, { answer, items }] of pages.entries()) {
      const before = pages.slice(0, index);
      const earlier = before.flatMap((page) => page.items);
      const common = countCommon(earlier, items, identity) + countCopies(items, identity);
      const actual = `returned ${plural(common, "item")} again for ${wordsFor({ limit: size, ...filter })}`;
      if (common > 0) return new Violation(answer, actual, "each item once, on one page", answersOf(before));
    }
  }
  return undefined;
};

/** Finds pages that lack items of the wide page, or have items that it lacks. */
export const findMissing: Judge = ({ filter, answer: wide, items: known, walks, isWideWhole }, identity) => {
  for (const one of walks) {
    const { size, pages, isWhole } = one;
    const last = pages.at(-1)?.answer;
    const when = `${wordsFor({ limit: size, ...filter })}, although a wide page has ${known.length}`;
    const empty = isWhole ? undefined : pages.find(({ items }) => items.length === 0)?.answer;
    if (empty)
      return new Violation(empty, `${outcomeOf(empty)} without items for a page of ${when}`, "an item", [
        wide,
      ]);
    const shown = pages.flatMap(({ items }) => items);
    const missing = isWhole ? known.length - countCommon(shown, known, identity) : 0;
    const further = isWideWhole || !isWhole ? furtherOn(one, known, identity) : 0;
    const fault = missing > 0 ? `lack ${plural(missing, "item")}` : `have ${plural(further, "further item")}`;
    if (last && missing + further > 0)
      return new Violation(
        last,
        `returned pages that ${fault} for ${when}`,
        "the same items, whatever the limit",
        [wide, ...answersOf(pages)],
      );
  }
  return undefined;
};

/** Finds items on the page after the last one. */
export const findBeyond: Judge = ({ filter, answer: wide, items: known, beyond }, identity) => {
  const wrong = beyond.find(({ items }) => countCommon(known, items, identity) > 0);
  const actual = `returned items again on the page after the last one for ${wordsFor(filter)}`;
  return wrong && new Violation(wrong.answer, actual, "no items, 400 or 404", [wide]);
};

const answersOf = (pages: readonly Page[]) => pages.map(({ answer }) => answer);

/** Writes a filter as a query. */
export const wordsFor = (filter: Query) =>
  Object.entries(filter)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("&");

const countCopies = (items: readonly unknown[], identity: Identity) =>
  items.length - new Set(items.map(identity)).size;
