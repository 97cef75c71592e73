import { isObject } from "../../fixtures/http/body.ts";

const DEEPEST = 6;

/** Finds the smallest objects in a body that have a value: the records of a list that carry a reference. */
export function recordsWith(body: unknown, value: string, depth = 0): Readonly<Record<string, unknown>>[] {
  if (depth > DEEPEST || typeof body !== "object" || body === null) return [];
  const inside = Object.values(body).flatMap((member) => recordsWith(member, value, depth + 1));
  if (inside.length > 0) return inside;
  return isObject(body) && Object.values(body).includes(value) ? [body] : [];
}

/** Finds the members of a record, and of the objects in it, with a name, however it is spelled; lists are members too. */
export function membersNamed(record: unknown, name: string, depth = 0): { readonly value: unknown }[] {
  if (!isObject(record) || depth > 3) return [];
  return Object.entries(record).flatMap(([key, value]) => [
    ...(plain(key) === plain(name) && value !== null && !isObject(value) ? [{ value }] : []),
    ...membersNamed(value, name, depth + 1),
  ]);
}

const plain = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();
