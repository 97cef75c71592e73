import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { appendJobSummary } from "./github.ts";

it("appends to the summary that GitHub names, and says what prevented it", () => {
  const directory = temporaryFolder();
  const path = join(directory, "summary.md");

  expect([
    appendJobSummary("# one", { GITHUB_STEP_SUMMARY: path }),
    appendJobSummary("# two", { GITHUB_STEP_SUMMARY: path }),
  ]).toEqual([undefined, undefined]);
  expect(readFileSync(path, "utf8")).toBe("# one\n# two\n");
  expect(appendJobSummary("# one", {})).toBeUndefined();
  expect(appendJobSummary("# one", { GITHUB_STEP_SUMMARY: directory })).toMatch(
    /^GITHUB_STEP_SUMMARY: the summary cannot/,
  );
});
