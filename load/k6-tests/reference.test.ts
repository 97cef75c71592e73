import { expect, it } from "vitest";
import { MAX_ITERATIONS, type ReferenceForm, referencesOf } from "../k6/templates/reference.ts";

it.each<[ReferenceForm, RegExp]>([
  ["plain", /^load-0123abc[de]-\d{7}$/],
  ["uuid", /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/],
  ["digits", /^\d{17}$/],
  ["short", /^[a-z\d]{1,20}$/],
])("makes %s references that differ, and of which none is part of another", (form, pattern) => {
  const references = referencesOf("0123abcd", form);
  const all = [
    ...[0, 1, 10, MAX_ITERATIONS - 1].map(references.at),
    references.control,
    references.unused,
    referencesOf("0123abce", form).control,
  ];

  expect(all.every((reference) => pattern.test(reference))).toBe(true);
  expect(new Set(all.map(({ length }) => length)).size).toBe(1);
  expect(new Set(all).size).toBe(all.length);
});
