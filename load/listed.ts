import { isObject } from "../fixtures/answer.ts";

/** Counts the items that an answer of the transfer list shows for one reference. */
export type Count = (body: unknown, reference: string) => number;

/** An answer of the transfer list, and the reference it was asked for. */
export interface Sample {
  readonly reference: string;
  readonly body: unknown;
}

/**
 * Learns how this deployment lists a transfer, whose item fields and place the specification does not show: from
 * the answer for a transfer that exists, and from the answer for one that does not.
 * Returns `undefined` when the two answers do not differ in a way that can be counted.
 */
export function learnCount(existing: Sample, unused: Sample): Count | undefined {
  const echoes = new Set(places(unused.body, unused.reference));
  const byText: Count = (body, reference) =>
    places(body, reference).filter((place) => !echoes.has(place)).length;
  if (byText(existing.body, existing.reference) > 0) return byText;
  const empty = sizes(unused.body);
  const [list] = [...sizes(existing.body)]
    .filter(([place, size]) => size > 0 && (empty.get(place) ?? 0) === 0)
    .map(([place]) => place)
    .toSorted((a, b) => a.length - b.length);
  return list === undefined ? undefined : (body) => sizes(body).get(list) ?? 0;
}

/** Whether an answer lists nothing at all, of whatever kind. */
export const listsNothing = (body: unknown) => [...sizes(body).values()].every((size) => size === 0);

/** Places of the innermost objects, and of list elements, that hold `text`; positions in a list count as one place. */
function places(value: unknown, text: string, place = ""): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => (item === text ? [`${place}/*`] : places(item, text, `${place}/*`)));
  }
  if (!isObject(value)) return [];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    places(member, text, `${place}/${step(name)}`),
  );
  if (inside.length > 0) return inside;
  return Object.values(value).includes(text) ? [place] : [];
}

/** Number of elements of every list in an answer, by its place. */
function sizes(value: unknown, place = "", found = new Map<string, number>()): Map<string, number> {
  if (typeof value !== "object" || value === null) return found;
  const names = Object.keys(value);
  const isList = Array.isArray(value) || (names.length > 0 && names.every((name) => step(name) === "*"));
  if (isList) found.set(place, (found.get(place) ?? 0) + names.length);
  for (const [name, member] of Object.entries(value)) sizes(member, `${place}/${step(name)}`, found);
  return found;
}

/** Some services send a list as an object whose keys are numbers. */
const step = (name: string) => (/^\d+$/.test(name) ? "*" : name);
