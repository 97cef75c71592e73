import { isShortened, ownIdOf } from "../../../fixtures/engine/lists/items.ts";
import { pathInRecord, pathsIn, scalars, valueAt } from "../../../fixtures/engine/vocabulary.ts";

/** Whether an item shows all that it has behind a mask. */
export const isMasked = (item: unknown) => scalars(item).every(([, value]) => isShortened(String(value)));

/** Whether a recipient shows an identifier of its own. */
export const showsRecipientId = (item: unknown) =>
  ownIdOf(item) !== undefined ||
  scalars(item).some(([path]) => /^recipient_?(id|uuid)$/i.test(pathInRecord(path)));

/** Two merchants may know one or two of the same people. */
const SEVERAL = 3;

const DATE = /^\d{4}-\d\d-\d\d/;

/**
 * Finds, for each field but dates, the longest text with which several of its values begin, and the longest
 * with which several e-mail addresses end. Returns each text with the items that have it.
 */
export function textsByField(items: readonly unknown[]): { text: string; items: readonly unknown[] }[] {
  return pathsIn(items).flatMap((path) => {
    const values = items
      .map((item) => ({ item, value: valueAt(item, path) }))
      .filter((one): one is { item: unknown; value: string } => typeof one.value === "string");
    if (values.some(({ value }) => DATE.test(value))) return [];
    return [beginningsOf, endsOf].flatMap((partsOf) => {
      const owners = new Map<string, unknown[]>();
      for (const { item, value } of values)
        for (const part of new Set(partsOf(value))) owners.set(part, [...(owners.get(part) ?? []), item]);
      const shared = [...owners].filter(([, all]) => all.length >= SEVERAL);
      const [longest] = shared.toSorted(([one], [other]) => other.length - one.length);
      return longest ? [{ text: longest[0], items: longest[1] }] : [];
    });
  });
}

/** The texts of three characters or more with which a text begins; searches may ignore spaces around them. */
const beginningsOf = (text: string) =>
  Array.from(text.slice(2), (_, index) => text.slice(0, index + 3).trim());

/** The ends of an e-mail address that hold its domain. */
const endsOf = (text: string) =>
  Array.from(text.slice(0, text.indexOf("@") + 1), (_, index) => text.slice(index));
