import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { invariant, type LoadResult } from "../results/result.ts";
import { exampleResult, LOGGED_END, loggedResponse, recorded } from "../testing/example-result.ts";
import { bandOf, changesBetween, compare, medianOf } from "./compare.ts";

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
  expect(stdout).toContain("base       payments staging: 3 runs of transfers, average (20 requests/s, 60 s)");
  expect(stdout).toMatch(/createTransfer {2}p50 +29\.\d +29\.\d +[+-]\d\.\d % +-\d+\.\d % to \+\d+\.\d %/);
  expect(stdout).toContain("NO WORSE (exit code 0)");
});

it("exits with 1 if one of several candidates is worse, and says by how much", async () => {
  const { code, stdout } = await compared(baseRuns(), folderOf(exampleResult()), folderOf(slower(2)));

  expect(code).toBe(1);
  expect(stdout).toMatch(/WORSE \(exit code 1\): createTransfer p50 \+100\.\d %/);
});

it("says that the noise is assumed if there are too few base runs", async () => {
  const { stdout } = await compared(folderOf(exampleResult()), baseRuns());

  expect(stdout).toContain("The noise is assumed");
});

it.each<[string, () => string[], string]>([
  ["there is no candidate", () => [], "usage: npm run load -- compare <base>"],
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
  const { code, stderr } = await compared(baseRuns(), ...candidates());

  expect({ code, lines: stderr.split("\n").length }).toEqual({ code: 2, lines: 2 });
  expect(stderr).toContain(line);
});

/** A run of 1,200 transfers whose latencies are `factor` times the ordinary ones; the first `failed` ones fail. */
function run(factor = 1, failed = 0) {
  const lines = Array.from({ length: 1200 }, (_, iteration) =>
    loggedResponse({
      iteration,
      latencyMs: factor * (20 + (iteration % 100)),
      outcome: iteration < failed ? "server-error" : "accepted",
    }),
  );
  const measured = recorded([...lines, LOGGED_END]).summary();
  return exampleResult({ ...(measured && { measured }), invariants: [] });
}

const verdictsOf = (...given: Parameters<typeof changesBetween>) =>
  changesBetween(...given).latencies.map(({ percentile, verdict }) => `${percentile} ${verdict}`);

describe("compare", () => {
  const quiet = [run(1), run(1.01), run(0.99), run(1.005), run(0.995)];
  const noisy = [run(1), run(1.3), run(0.8), run(1.1), run(0.7)];

  it("calls a change worse only if it is larger than the base runs differ", () => {
    expect(verdictsOf(quiet, [run(1.2)])).toEqual(["p50 worse", "p95 worse", "p99 worse"]);
    expect(verdictsOf(noisy, [run(1.2)])).toEqual(["p50 same", "p95 same", "p99 same"]);
    expect(verdictsOf(quiet, [run(0.7)])).toEqual(["p50 better", "p95 better", "p99 better"]);
    expect(verdictsOf(quiet, [run(1.002)])).toEqual(["p50 same", "p95 same", "p99 same"]);
  });

  it("takes less than a millisecond for the clock's", () => {
    expect(verdictsOf([run(0.01)], [run(0.015)])).toEqual(["p50 same", "p95 same", "p99 same"]);
  });

  it("calls a candidate worse that fails more often, or breaks an invariant that the base keeps", () => {
    expect(changesBetween([run(1, 2)], [run(1, 60)]).failures).toMatchObject([
      { text: "0.167 % throttled or failed, now 5 %", verdict: "worse" },
    ]);
    expect(changesBetween([run(1, 2)], [run(1, 3)]).failures).toMatchObject([{ verdict: "same" }]);
    expect(
      changesBetween([run()], [exampleResult({ invariants: [invariant("L2", "broken", "")] })]).newlyBroken,
    ).toEqual(["L2 (no reference is paid twice)"]);
  });
});

describe("bandOf", () => {
  it("holds a further run of the same deployment in 97 to 100 of 100 cases", () => {
    let seed = 42;
    // A normal variable as the sum of twelve uniform ones, from a fixed generator.
    const uniform = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const latency = () =>
      100 * Math.exp(0.1 * (Array.from({ length: 12 }, uniform).reduce((a, b) => a + b) - 6));
    const inside = Array.from({ length: 2000 }, () => {
      const base = Array.from({ length: 5 }, latency);
      const factor = latency() / medianOf(base);
      const { from, to } = bandOf(base, 1);
      return factor > from && factor < to;
    }).filter(Boolean).length;

    expect(inside / 2000).toBeGreaterThan(0.97);
  });
});
