import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { profileNames, profiles } from "../k6/traffic/profiles.ts";
import { readShape, Shape } from "./shape.ts";

function shape(text: string): string {
  const path = join(temporaryFolder(), "shape.json");
  writeFileSync(path, text);
  return path;
}

describe("a shape", () => {
  it.each(profileNames.filter((name) => profiles[name].model === "open"))(
    "can be written as %s is",
    (name) => {
      const { stages, arrivals } = profiles[name];

      expect(Shape.parse({ stages, arrivals })).toEqual({ stages, arrivals });
    },
  );

  it("is read from a file, with its highest rate and its length", () => {
    const stages = [
      { seconds: 10, rate: 1 },
      { seconds: 20.5, rate: 7 },
    ];

    expect(readShape(shape(JSON.stringify({ stages })))).toEqual({
      model: "open",
      rate: 7,
      seconds: 30.5,
      stages,
      arrivals: "constant",
    });
  });

  it.each([
    ["a negative rate", '{"stages":[\n{"seconds":1,"rate":-1}]}', "line 2, stages[0].rate"],
    ["no rate at all", '{"stages":[{"seconds":1,"rate":0}]}', "no stage has a rate above 0"],
    ["no time at all", '{"stages":[{"seconds":0,"rate":5}]}', "no stage lasts any time"],
    ["a negative time", '{"stages":[{"seconds":-1,"rate":1}]}', "seconds"],
    ["a rate beyond all numbers", '{"stages":[{"seconds":1,"rate":1e999}]}', "rate"],
    ["an abyss", "[".repeat(100_000), "levels of nesting"],
    ["unknown arrivals", '{"arrivals":"uniform",\n"stages":[{"seconds":1,"rate":1}]}', "line 1, arrivals"],
  ])("refuses %s with its place", async (_, text, problem) => {
    const error = await commandErrorOf(() => readShape(shape(text)));

    expect(error).toMatchObject({ exitCode: 2, problems: [expect.stringContaining(problem)] });
  });
});
