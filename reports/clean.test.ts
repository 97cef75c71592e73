import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../fixtures/testing/example-target.ts";
import { invoke } from "../fixtures/testing/invoke.ts";
import { clean } from "./clean.ts";
import { newestRun } from "./run-folders.ts";

/** A folder with runs: two of checks, two of load, one that has not ended, and things that are no runs. */
function runs(): string {
  const out = temporaryFolder();
  const add = (name: string, ...files: string[]) => {
    mkdirSync(join(out, name));
    for (const file of files) writeFileSync(join(out, name, file), "");
    return join(out, name);
  };
  add("20260101T000000Z-aaaaaaaa", "events.jsonl", "verdicts.json");
  add("20260102T000000Z-bbbbbbbb", "events.jsonl", "verdicts.json");
  add("20260103T000000Z-cccccccc", "run.json", "result.json");
  add("20260104T000000Z-dddddddd", "run.json", "result.json");
  add("20260101T000001Z-eeeeeeee", "events.jsonl");
  const dead = add("20260101T000002Z-ffffffff", "events.jsonl");
  utimesSync(dead, 0, 0);
  add("notes", "verdicts.json");
  writeFileSync(join(out, "matrix.json"), "");
  return out;
}

it("keeps the newest runs of each kind, those under way, and whatever is no run", async () => {
  const out = runs();

  const { code, stdout, stderr } = await invoke(clean, ["--out", out, "--keep", "1"]);

  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining("Removed 3 runs"),
  });
  expect(readdirSync(out)).toEqual([
    "20260101T000001Z-eeeeeeee",
    "20260102T000000Z-bbbbbbbb",
    "20260104T000000Z-dddddddd",
    "matrix.json",
    "notes",
  ]);
});

it("removes nothing in a dry run, by default while there are few, or without a whole number", async () => {
  const out = runs();

  const dry = await invoke(clean, ["--out", out, "--keep", "0", "--dry-run"]);
  const few = await invoke(clean, ["--out", out]);
  const wrong = await invoke(clean, ["--out", out, "--keep=-1"]);

  expect(dry.stdout).toContain("20260103T000000Z-cccccccc");
  expect(few.stdout).toContain("Removed 0 runs");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--keep -1") });
  expect(readdirSync(out)).toHaveLength(8);
});

it("knows the newest run of checks", () => {
  const out = runs();

  expect(newestRun(out)).toBe(join(out, "20260102T000000Z-bbbbbbbb"));
  expect(newestRun(join(out, "nowhere"))).toBeUndefined();
  expect(existsSync(join(out, "nowhere"))).toBe(false);
});
