import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import type { LoadResult } from "../results/result.ts";
import { exampleResult } from "../testing/example-result.ts";
import { compare } from "./compare.ts";

/** A folder of load runs. */
function folderOf(...runs: readonly object[]): string {
  const folder = temporaryFolder();
  for (const [index, run] of runs.entries()) {
    const path = join(folder, `20260101T00000${index}Z-0123abc${index}`);
    mkdirSync(path);
    writeFileSync(join(path, "run.json"), "{}");
    writeFileSync(join(path, "result.json"), JSON.stringify(run));
  }
  return folder;
}

const compared = (...paths: readonly string[]) => invoke(compare, paths);

/** The example run with every latency multiplied. */
const slower = (factor: number): LoadResult =>
  JSON.parse(JSON.stringify(exampleResult()), (name, value) =>
    /^(p\d+|avg|max)$/.test(name) ? value * factor : value,
  );

const baseRuns = () => folderOf(exampleResult(), slower(1.01), slower(0.99));

it("exits with 0 for a candidate that is no worse, and shows the change and how far the base runs lie apart", async () => {
  const { code, stdout } = await compared(baseRuns(), folderOf(slower(1.01)));

  expect(code).toBe(0);
  expect(stdout).toContain("base       payments staging: 3 runs of transfers, average, 20 requests/s, 60 s");
  expect(stdout).toMatch(/createTransfer {2}p50 +28\.\d to 29\.\d +29\.\d +\+1\.0 %\n/);
  expect(stdout).toContain("NO WORSE (exit code 0)");
});

it("exits with 1 if the candidate is worse, and says by how much", async () => {
  const { code, stdout } = await compared(baseRuns(), folderOf(slower(2)));

  expect(code).toBe(1);
  expect(stdout).toMatch(/WORSE \(exit code 1\): createTransfer p50 \+100\.\d %/);
});

it("calls a candidate worse that fails where the base did not, however fast it is", async () => {
  const passing = exampleResult({ outcome: "passed", exitCode: 0 });

  const { code, stdout } = await compared(folderOf(passing), folderOf(exampleResult()));

  expect(code).toBe(1);
  expect(stdout).toContain("WORSE (exit code 1): the run 0123abcd failed (broken invariant: L2");
});

it.each<[string, () => string[], string]>([
  ["there is no candidate", () => [], "usage: npm run load -- compare <base>"],
  ["there is no such file", () => ["nowhere"], "cannot be read"],
  [
    "the candidate had another load",
    () => [folderOf(exampleResult({ workload: "qr" }))],
    "had another load (qr, average",
  ],
  [
    "its generator was too slow",
    () => [folderOf(exampleResult({ validity: "generator-limited" }))],
    "had a generator that was too slow",
  ],
  [
    "its result is that of another version",
    () => [folderOf({ ...exampleResult(), schema: "payments-conformance/load@1" })],
    "name finished load runs of this version",
  ],
])("exits with 2 and one line if %s", async (_, candidates, line) => {
  const { code, stderr } = await compared(baseRuns(), ...candidates());

  expect({ code, lines: stderr.split("\n").length }).toEqual({ code: 2, lines: 2 });
  expect(stderr).toContain(line);
});

it.each([
  [1, [1], 1.25],
  [0, [1], 1.15],
  [0, [0.7, 1.1], 1.3],
  [1, [0.7, 1.1], 1.35],
  // Less than a millisecond is the clock's.
  [0, [0.0001], 0.0003],
])("exits with %i if base runs took %j and the candidate %d of the time", async (exitCode, base, factor) => {
  const { code } = await compared(folderOf(...base.map(slower)), folderOf(slower(factor)));

  expect(code).toBe(exitCode);
});
