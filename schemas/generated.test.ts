import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeGenerated } from "./generated.ts";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "generated-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Calls {@link writeGenerated} and returns what it wrote to stderr and the exit code it set. */
function run(path: URL | string, content: string, mode?: "check") {
  const before = process.exitCode;
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const argv = vi
    .spyOn(process, "argv", "get")
    .mockReturnValue(["node", "generate.ts", ...(mode ? [mode] : [])]);
  process.exitCode = undefined;
  try {
    writeGenerated(typeof path === "string" ? pathToFileURL(path) : path, content);
    return { said: stderr.mock.calls.map(([text]) => text).join(""), exitCode: process.exitCode };
  } finally {
    process.exitCode = before;
    argv.mockRestore();
    stderr.mockRestore();
  }
}

test("writes the file and creates its folders", async () => {
  const file = join(await makeFolder(), "deep", "er", "a.json");
  const result = run(pathToFileURL(file), "{}\n");

  expect(await readFile(file, "utf8")).toBe("{}\n");
  expect(result).toEqual({ said: "", exitCode: undefined });
});

test("replaces an existing file", async () => {
  const file = join(await makeFolder(), "a.json");
  await writeFile(file, "a longer text than the new one");
  run(file, "{}\n");

  expect(await readFile(file, "utf8")).toBe("{}\n");
});

test("writes nothing if a checked file is up to date", async () => {
  const file = join(await makeFolder(), "a.json");
  await writeFile(file, "{}\n");

  expect(run(file, "{}\n", "check")).toEqual({ said: "", exitCode: undefined });
});

test("names a checked file that differs, in one line, and does not change it", async () => {
  const file = join(await makeFolder(), "a.json");
  await writeFile(file, "{ }\n");
  const { said, exitCode } = run(file, "{}\n", "check");

  expect(said).toMatch(/^\S*a\.json is out of date: run `npm run generate` and commit the file\n$/);
  expect(exitCode).toBe(1);
  expect(await readFile(file, "utf8")).toBe("{ }\n");
});

test("names a checked file that does not exist, and does not create it", async () => {
  const file = join(await makeFolder(), "absent.json");
  const { said, exitCode } = run(file, "{}\n", "check");

  expect(said).toContain("absent.json is out of date");
  expect(exitCode).toBe(1);
  await expect(readFile(file)).rejects.toThrow("ENOENT");
});

test("names a file by its path in the project", () => {
  const { said } = run(new URL("openapi.json", import.meta.url), "{}\n", "check");

  expect(said).toMatch(/^schemas\/openapi\.json is out of date/);
});
