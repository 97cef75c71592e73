import { expect, test } from "vitest";
import { mutations } from "./mutations.ts";

const labels = (sample: unknown) => [...mutations(sample)].map(({ path, kind }) => `${path}:${kind}`);
const bodies = (sample: unknown) => [...mutations(sample)].map(({ body }) => body);

test("gives a value every other kind", () => {
  expect(labels("x")).toEqual([":null", ":boolean", ":number", ":array", ":object", ":NaN"]);
  expect(bodies(1)).toEqual([null, true, "text", [], {}, Number.NaN]);
});

test("takes one member away or changes one member at a time, at any depth", () => {
  const found = bodies({ a: { b: "x" }, c: [true] });

  expect(found).toContainEqual({ c: [true] });
  expect(found).toContainEqual({ a: {}, c: [true] });
  expect(found).toContainEqual({ a: { b: 7 }, c: [true] });
  expect(found).toContainEqual({ a: { b: "x" }, c: [] });
  expect(found).toContainEqual({ a: { b: "x" }, c: [null] });
});

test("leaves the sample as it was and a file unopened", () => {
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
