import { agreesAsBoolean, agreesAsNumber, membersNamed } from "../every-operation/values/shown-values.ts";

/**
 * Compares a listed record with what was sent: `known` names the fields that can be compared, and `other` those of them
 * whose values differ. The fields of an item are undocumented (N05), so a missing or reformatted one proves nothing.
 */
export function compareWithSent(
  sent: Readonly<Record<string, unknown>>,
  item: unknown,
): { readonly known: readonly string[]; readonly other: readonly string[] } {
  const shown = Object.entries(sent).flatMap(([name, value]) => {
    const [found, second] = membersNamed(item, name);
    return found && !second ? [{ name, agrees: agreement(value, found.value) }] : [];
  });
  const names = (those: typeof shown) => those.map(({ name }) => name);
  return {
    known: names(shown.filter(({ agrees }) => agrees !== undefined)),
    other: names(shown.filter(({ agrees }) => agrees === false)),
  };
}

/** Whether both are the same value; `undefined` if they cannot be compared. */
function agreement(sent: unknown, shown: unknown): boolean | undefined {
  if (typeof sent === "boolean") return agreesAsBoolean(sent, shown);
  if (typeof sent === "number") return agreesAsNumber(sent, shown);
  const text = String(shown).trim().toLowerCase();
  const wanted = String(sent).toLowerCase();
  if (/^[a-z]{3}/.test(wanted)) return /^[a-z]{3}/.test(text) ? agreesInLetters(wanted, text) : undefined;
  return DATE.test(wanted) && DATE.test(text) ? text === wanted : undefined;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** The list may shorten or lengthen a word: percent, percentage. */
const agreesInLetters = (wanted: string, text: string) => wanted.slice(0, 3) === text.slice(0, 3);
