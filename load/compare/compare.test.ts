import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import type { LoadResult } from "../results/result.ts";
import { exampleResult, LOGGED_END, loggedResponse, recorded } from "../testing/example-result.ts";
import { changesBetween, compare } from "./compare.ts";

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

it("exits with 0 for a candidate that is no worse, and shows the change and the noise", async () => {
  const { code, stdout } = await compared(baseRuns(), folderOf(slower(1.01)));

  expect(code).toBe(0);
  expect(stdout).toContain("base       payments staging: 3 runs of transfers, average, 20 requests/s, 60 s");
  expect(stdout).toMatch(/createTransfer {2}p50 +29\.\d +29\.\d +[+-]\d\.\d % +-\d+\.\d % to \+\d+\.\d %/);
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
  expect(stdout).toContain("The noise is assumed");
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

/** A run whose transfers took `factor` times the ordinary latencies. */
function run(factor: number) {
  const lines = Array.from({ length: 1200 }, (_, iteration) =>
    loggedResponse({ iteration, latencyMs: factor * (20 + (iteration % 100)) }),
  );
  const measured = recorded([...lines, LOGGED_END]).summary();
  return exampleResult({ ...(measured && { measured }) });
}

const QUIET = [1, 1.01, 0.99, 1.005, 0.995];

it.each([
  ["worse", QUIET, 1.2],
  ["same", [1, 1.3, 0.8, 1.1, 0.7], 1.2],
  ["better", QUIET, 0.7],
  ["same", QUIET, 1.002],
  // Less than a millisecond is the clock's.
  ["same", [0.01], 0.015],
])("calls it %s if base runs took %j and the candidate %d of the time", (verdict, base, factor) => {
  const found = changesBetween(base.map(run), [run(factor)]);

  expect(found.map((one) => `${one.percentile} ${one.verdict}`)).toEqual(
    ["p50", "p95", "p99"].map((percentile) => `${percentile} ${verdict}`),
  );
});
