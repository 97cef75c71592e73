import { expect, test } from "vitest";
import { mutations } from "./mutations.ts";

const labels = (sample: unknown) => [...mutations(sample)].map(({ path, kind }) => `${path}:${kind}`);
const bodies = (sample: unknown) => [...mutations(sample)].map(({ body }) => body);

test("replaces a value with one of every other type", () => {
  expect(labels("x")).toEqual([":null", ":boolean", ":number", ":array", ":object", ":NaN"]);
  expect(bodies(1)).toEqual([null, true, "text", [], {}, Number.NaN]);
});

test("removes or changes one member at a time, at any depth", () => {
  const found = bodies({ a: { b: "x" }, c: [true] });

  expect(found).toContainEqual({ c: [true] });
  expect(found).toContainEqual({ a: {}, c: [true] });
  expect(found).toContainEqual({ a: { b: 7 }, c: [true] });
  expect(found).toContainEqual({ a: { b: "x" }, c: [] });
  expect(found).toContainEqual({ a: { b: "x" }, c: [null] });
});

test("does not change the sample, and treats a file as one value", () => {
  const sample = { image: new File(["x"], "x.png") };
  const found = labels(sample);

  expect(sample.image).toBeInstanceOf(File);
  expect(found.filter((label) => label.startsWith("image"))).toEqual([
    "image:missing",
    "image:null",
    "image:boolean",
    "image:number",
    "image:string",
    "image:array",
    "image:object",
    "image:NaN",
  ]);
});
