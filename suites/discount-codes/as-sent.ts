import { pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";

type Scalar = ReturnType<typeof scalars>[number][1];

/**
 * Compares a listed record with what was sent: `known` names the fields that can be compared, and `other` those of them
 * whose values differ. The fields of an item are undocumented (N05), so a missing or reformatted one proves nothing.
 */
export function compareWithSent(
  sent: Readonly<Record<string, unknown>>,
  item: unknown,
): { readonly known: readonly string[]; readonly other: readonly string[] } {
  const members = scalars(item).map(([path, value]) => ({ name: plain(pathInRecord(path)), value }));
  const shown = Object.entries(sent).flatMap(([name, value]) => {
    const [found, second] = members.filter((member) => member.name === plain(name));
    return found && !second ? [{ name, agrees: agreement(value, found.value) }] : [];
  });
  const names = (those: typeof shown) => those.map(({ name }) => name);
  return {
    known: names(shown.filter(({ agrees }) => agrees !== undefined)),
    other: names(shown.filter(({ agrees }) => agrees === false)),
  };
}

const plain = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();

/** Whether both are the same value; `undefined` if they cannot be compared. */
function agreement(sent: unknown, shown: Scalar): boolean | undefined {
  const text = String(shown).trim().toLowerCase();
  if (typeof sent === "boolean")
    return /^(true|1|false|0)$/.test(text) ? /^[t1]/.test(text) === sent : undefined;
  if (typeof sent === "number") {
    if (text === "" || Number.isNaN(Number(text))) return undefined;
    // The list may show amounts in the currency's other unit.
    return [1, 100, 0.01].some((unit) => Math.abs(Number(text) - sent * unit) < 1e-9);
  }
  const wanted = String(sent).toLowerCase();
  if (/^[a-z]{3}/.test(wanted)) return /^[a-z]{3}/.test(text) ? agreesInLetters(wanted, text) : undefined;
  return DATE.test(wanted) && DATE.test(text) ? text === wanted : undefined;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** The list may shorten or lengthen a word: percent, percentage. */
const agreesInLetters = (wanted: string, text: string) => wanted.slice(0, 3) === text.slice(0, 3);
