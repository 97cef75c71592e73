import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import type { LoadResult } from "../results/result.ts";
import { exampleResult } from "../testing/example-result.ts";
import { compareRuns } from "./compare-runs.ts";

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

/** What the command prints, and its exit code. */
function compared(...paths: readonly string[]) {
  const texts: string[] = [];
  const stdout = { write: (text: string) => texts.push(text) };
  const code = compareRuns(paths, 0.2, { stdout, env: {} });
  return { code, text: texts.join("") };
}

/** The example run with every latency multiplied. */
const slower = (factor: number): LoadResult =>
  JSON.parse(JSON.stringify(exampleResult()), (name, value) =>
    /^(p\d+|avg|max)$/.test(name) ? value * factor : value,
  );

const baseRuns = () => folderOf(exampleResult(), slower(1.01), slower(0.99));

it("exits with 0 for a candidate that is no worse, and shows the change and the noise", () => {
  const { code, text } = compared(baseRuns(), folderOf(slower(1.01)));

  expect(code).toBe(0);
  expect(text).toContain("base       payments staging: 3 runs of transfers, average (20 requests/s, 60 s)");
  expect(text).toMatch(/createTransfer {2}p50 +29\.\d +29\.\d +[+-]\d\.\d % +-\d+\.\d % to \+\d+\.\d %/);
  expect(text).toContain("NO WORSE (exit code 0)");
});

it("exits with 1 if one of several candidates is worse, and says by how much", () => {
  const { code, text } = compared(baseRuns(), folderOf(exampleResult()), folderOf(slower(2)));

  expect(code).toBe(1);
  expect(text).toMatch(/WORSE \(exit code 1\): createTransfer p50 \+100\.\d %/);
});

it("says that the noise is assumed if there are too few base runs", () => {
  expect(compared(folderOf(exampleResult()), baseRuns()).text).toContain("The noise is assumed");
});

it.each<[string, () => string[], string]>([
  ["there is no candidate", () => [], "needs a base and at least one candidate"],
  ["there is no such file", () => ["nowhere"], "nowhere cannot be read"],
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
  const error = await commandErrorOf(() => compared(baseRuns(), ...candidates()));

  expect(error).toMatchObject({ exitCode: 2, problems: [expect.stringContaining(line)] });
});
