import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeGenerated } from "./generated.ts";

/** Calls {@link writeGenerated} and returns the exit code that it set and what it wrote to stderr. */
function generate(path: string, content: string, mode?: "check") {
  const before = process.exitCode;
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const argv = vi.spyOn(process, "argv", "get").mockReturnValue(["node", "generate.ts", mode ?? ""]);
  process.exitCode = undefined;
  try {
    writeGenerated(pathToFileURL(path), content);
    return `${process.exitCode ?? 0} ${stderr.mock.calls.join("")}`;
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
  const outdated = expect.stringMatching(/^1 \S*a\.json is out of date: run `npm run generate` and commit/);

  expect(generate(file, "{}\n", "check")).toEqual(outdated);
  expect(existsSync(file)).toBe(false);
  expect(generate(file, "{}\n")).toBe("0 ");
  expect(generate(file, "{}\n", "check")).toBe("0 ");
  expect(generate(file, "{ }\n", "check")).toEqual(outdated);
  expect(readFileSync(file, "utf8")).toBe("{}\n");
});
