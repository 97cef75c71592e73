import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeGenerated } from "./generated.ts";

/** Calls {@link writeGenerated} and returns what it wrote to stderr and the exit code it set. */
function generate(path: string, content: string, mode?: "check") {
  const before = process.exitCode;
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const argv = vi.spyOn(process, "argv", "get").mockReturnValue(["node", "generate.ts", mode ?? ""]);
  process.exitCode = undefined;
  try {
    writeGenerated(pathToFileURL(path), content);
    return { said: stderr.mock.calls.join(""), exitCode: process.exitCode };
  } finally {
    process.exitCode = before;
    argv.mockRestore();
    stderr.mockRestore();
  }
}

test("writes a file with its folders; when it only checks, names one that is missing or differs", () => {
  const folder = mkdtempSync(join(tmpdir(), "generated-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "deep", "a.json");
  const outdated = {
    said: expect.stringMatching(/^\S*a\.json is out of date: run `npm run generate` and commit the file\n$/),
    exitCode: 1,
  };
  const silent = { said: "", exitCode: undefined };

  expect(generate(file, "{}\n", "check")).toEqual(outdated);
  expect(existsSync(file)).toBe(false);
  expect(generate(file, "{}\n")).toEqual(silent);
  expect(generate(file, "{}\n", "check")).toEqual(silent);
  expect(generate(file, "{ }\n", "check")).toEqual(outdated);
  expect(readFileSync(file, "utf8")).toBe("{}\n");
});
