import { remembered } from "../../../fixtures/engine/http/response.ts";
import { isShortened } from "../../../fixtures/engine/lists/items.ts";
import { type ApiResponse, isObject } from "../../../fixtures/engine/vocabulary.ts";
import { agreesAsDate } from "./shown-dates.ts";

const DATE = /^20\d\d\D?\d\d\D?\d\d(\D|$)|^\d\d\D\d\d\D20\d\d$/;

/** No field takes a time of the day: this is a text that only looks like a point in time. */
const MOMENT = /^\d{4}-\d\d-\d\dt(?!00)/;

/** Whether a value is shown as it was sent; `undefined` if neither is certain. */
export function agrees(sent: unknown, shown: unknown): boolean | undefined {
  if (shown === null || shown === undefined) return undefined;
  if (Array.isArray(sent)) return Array.isArray(shown) ? allAgree(sent, shown) : undefined;
  if (typeof shown === "object") return undefined;
  if (typeof sent === "boolean") return agreesAsBoolean(sent, shown);
  if (typeof sent === "number") return agreesAsNumber(sent, shown);
  return typeof sent === "string" ? agreesAsText(sent, String(shown)) : undefined;
}

/** How a form writes several values is open, so another number of them proves nothing. */
function allAgree(sent: readonly unknown[], shown: readonly unknown[]): boolean | undefined {
  if (sent.length !== shown.length) return undefined;
  return sent.every((item, index) => agrees(item, shown[index]) !== false);
}

function agreesAsBoolean(sent: boolean, shown: unknown): boolean | undefined {
  const word = String(shown).trim().toLowerCase();
  return /^(true|false|1|0)$/.test(word) ? /^[t1]/.test(word) === sent : undefined;
}

/** As {@link agrees}, of a number: an amount may be shown in the currency's other unit, and a share of a hundred as a fraction of one. */
function agreesAsNumber(sent: number, shown: unknown): boolean | undefined {
  const text = String(shown).trim();
  if (text === "" || Number.isNaN(Number(text))) return undefined;
  return unitOf(sent, Number(text)) !== undefined;
}

/** In which unit a number is shown, as a multiple of the one in which it was sent; `undefined` if it is another number. */
export function unitOf(sent: number, shown: number): number | undefined {
  const tolerance = Math.max(1e-9, Math.abs(sent) * 1e-12);
  return [1, 100, 0.01].find((unit) => Math.abs(shown - sent * unit) <= tolerance * unit);
}

/** Letter case and white space around a text prove nothing, nor does a date in an unknown form, or a shortened text. */
function agreesAsText(sent: string, shown: string): boolean | undefined {
  const [wanted, found] = [plain(sent), plain(shown)];
  // A link may be shown as a whole address, and a reference with a prefix.
  if (found.includes(wanted)) return true;
  const isMoment = MOMENT.test(wanted);
  const asDate = isMoment ? undefined : agreesAsDate(wanted, found);
  if (asDate !== undefined) return asDate;
  if (found === "" || isShortened(found)) return undefined;
  if (DATE.test(wanted)) return isMoment ? false : undefined;
  // A choice of words may have synonyms: percent, percentage.
  if (/^[a-z]+$/.test(wanted)) return wanted.slice(0, 3) === found.slice(0, 3) ? true : undefined;
  // What begins with a zero is no amount but an account number or a code, to which the zero belongs.
  if (/^0\d/.test(wanted)) return false;
  return /^\d+$/.test(wanted) && /^[\d.]+$/.test(found) ? agreesAsNumber(Number(wanted), found) : false;
}

const plain = (text: string) => text.trim().normalize("NFC").toLowerCase();

/** The fields of the body of a response's request, whose parts are texts if it is a form. */
export const fieldsSent = remembered((response: ApiResponse): Readonly<Record<string, unknown>> => {
  const { contentType, body } = response.operation;
  if (contentType !== "multipart/form-data")
    return Object.fromEntries(
      Object.entries(response.bodySent).filter(([name]) => name in (body?.shape ?? {})),
    );
  const text = response.textSent;
  const parts = [...text.matchAll(/; name="(\w+)"(?:\r\nContent-Type: [^\r]*)?\r\n\r\n([\s\S]*?)\r\n--/g)];
  const fields: Record<string, unknown> = {};
  for (const [, name = "", value = ""] of parts) {
    const known = fields[name];
    fields[name] = known === undefined ? valueOfPart(value) : [known, valueOfPart(value)].flat();
  }
  return fields;
});

/** A form has no types: numbers and booleans are written as text. */
function valueOfPart(text: string): unknown {
  if (/^(true|false)$/.test(text)) return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

const DEEPEST = 6;

type Found = Readonly<Record<string, unknown>>;

/** Finds the smallest objects in a body that have a value: the records of a list that carry a reference. */
export const recordsWith = (body: unknown, value: string): readonly Found[] =>
  typeof body === "object" && body !== null ? (recordsByText(body).get(plain(value)) ?? []) : [];

const recordsByText = remembered((body: object) => indexTexts(body, 0));

/** The smallest objects in a part of a body, by the texts that they have. */
function indexTexts(part: unknown, depth: number): Map<string, Found[]> {
  if (depth > DEEPEST || typeof part !== "object" || part === null) return new Map();
  const found = new Map<string, Found[]>();
  const members = Object.values(part);
  for (const member of members)
    for (const [text, records] of indexTexts(member, depth + 1))
      found.set(text, [...(found.get(text) ?? []), ...records]);
  const own = isObject(part) ? members.filter((member) => typeof member === "string").map(plain) : [];
  for (const text of new Set(own)) if (!found.has(text) && isObject(part)) found.set(text, [part]);
  return found;
}

/** Finds the members of a record, and of the objects in it, with a name, however it is spelled; lists are members too. */
export function membersNamed(record: unknown, name: string, depth = 0): { readonly value: unknown }[] {
  if (!isObject(record) || depth > 3) return [];
  return Object.entries(record).flatMap(([key, value]) => [
    ...(bare(key) === bare(name) && value !== null && !isObject(value) ? [{ value }] : []),
    ...membersNamed(value, name, depth + 1),
  ]);
}

const bare = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();

/** Whether a record shows a value under its name; `undefined` if it does not show any that can be compared. */
export function shows(record: unknown, name: string, value: unknown): boolean | undefined {
  const [found, second] = membersNamed(record, name);
  return found && !second ? agrees(value, found.value) : undefined;
}

/** The names of the values that a record shows and an earlier one did not. */
export function newlyShown<T extends object>(values: T, before: unknown, after: unknown) {
  const names = Object.keys(values) as (keyof T & string)[];
  return names.filter((name) => shows(after, name, values[name]) && !shows(before, name, values[name]));
}
