import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../fixtures/testing/example-target.ts";
import { followLines } from "./follow.ts";

it("followLines reads whole lines of a file that appears and grows, and what is left at the end", async () => {
  const path = join(temporaryFolder(), "responses.log");
  const lines: string[] = [];
  const log = followLines(path, (line) => lines.push(line));

  appendFileSync(path, "one\ntw");
  await expect.poll(() => lines).toEqual(["one"]);
  appendFileSync(path, `o\n${"ä".repeat(70_000)}\nlast`);
  log.finish();

  expect(lines).toEqual(["one", "two", "ä".repeat(70_000), "last"]);
});
