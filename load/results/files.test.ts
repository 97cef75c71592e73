import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { writeJson } from "./files.ts";

it.each([
  [9_023_042.936999997, "9023042.937"],
  [5.1000000037, "5.1"],
  [0.00012345678, "0.000123457"],
  [123_456_789_012.34, "123456789012.34"],
])("writes %d with the digits that are measured", (value, text) => {
  const file = join(temporaryFolder(), "result.json");

  writeJson(file, { value });

  expect(readFileSync(file, "utf8")).toBe(`{\n  "value": ${text}\n}\n`);
});
