import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { appendJobSummary, forJobLog } from "./github.ts";

const GITHUB = { GITHUB_ACTIONS: "true" };

it("changes the text of a result nowhere but on GitHub, where it stops workflow commands while it is printed", () => {
  const annotation = { kind: "error", title: "a/b", text: "returned 500" } as const;

  expect(forJobLog("::error::from the target\n", [annotation], {})).toBe("::error::from the target\n");
  expect(forJobLog("::error::from the target\n", [annotation], GITHUB, "token").split("\n")).toEqual([
    "::stop-commands::token",
    "::error::from the target",
    "::token::",
    "::error title=a/b::returned 500",
    "",
  ]);
});

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
