import { expect, it } from "vitest";
import { controlReference, MAX_ITERATIONS, referenceOf, unusedReference } from "../k6/reference.ts";

it("makes references of one length, so that none is part of another", () => {
  const references = [0, 1, 10, MAX_ITERATIONS - 1].map((iteration) => referenceOf("0123abcd", iteration));
  const all = [...references, controlReference("0123abcd"), unusedReference("0123abcd")];

  expect(new Set(all.map(({ length }) => length)).size).toBe(1);
  expect(new Set(all).size).toBe(all.length);
});
