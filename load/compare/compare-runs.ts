import { CommandError, print } from "../../reports/command-line/command.ts";
import { consoleOptions } from "../../reports/console/console.ts";
import { readResults } from "../results/read-result.ts";
import type { LoadResult } from "../results/result.ts";
import { compare, isWorse } from "./comparison.ts";
import { renderComparison, sideLine } from "./render-comparison.ts";

/**
 * Runs `npm run load -- compare`: compares each candidate with the base; each is a run or a folder of repeated runs.
 * Returns 1 if one is worse beyond the noise. Throws a {@link CommandError} (2) if the runs cannot be compared.
 */
export function compareRuns(paths: readonly string[], assumedNoise: number): number {
  const [base, ...candidates] = paths;
  if (base === undefined || candidates.length === 0)
    throw new CommandError(2, [
      "compare needs a base and at least one candidate, for example: npm run load -- compare reports/base reports/out/latest-load",
    ]);
  const before = readResults(base);
  requireComparable(base, before, before);
  const verdicts = candidates.map((path) => {
    const after = readResults(path);
    requireComparable(path, after, before);
    return compareGroups(before, after, assumedNoise, path);
  });
  return verdicts.some((worse) => worse) ? 1 : 0;
}

/** Prints the comparison of two groups of runs, and returns whether the second one is worse. */
function compareGroups(
  before: readonly LoadResult[],
  after: readonly LoadResult[],
  assumedNoise: number,
  name: string,
): boolean {
  const comparison = compare(before, after, assumedNoise);
  if (comparison.latencies.length === 0)
    throw new CommandError(2, [
      `${name} has no percentile in common with the base: the runs had too few responses; raise RATE or DURATION`,
    ]);
  print(
    [
      sideLine("base", before),
      sideLine("candidate", after),
      "",
      renderComparison(comparison, consoleOptions().color),
    ].join("\n"),
  );
  return isWorse(comparison);
}

/** Only runs of the same load can be compared, and only if their latencies are the target's. */
function requireComparable(path: string, runs: readonly LoadResult[], base: readonly LoadResult[]) {
  const [reference] = base;
  for (const run of runs) {
    if (!run.measured)
      throw new CommandError(2, [`${path}: the run ${run.runId} has no measurements: repeat it`]);
    if (run.validity === "generator-limited")
      throw new CommandError(2, [
        `${path}: in the run ${run.runId} the generator was too slow, so its latencies are not the target's: repeat it with a lower RATE or on a less busy machine`,
      ]);
    if (reference && loadOf(run) !== loadOf(reference))
      throw new CommandError(2, [
        `${path}: the run ${run.runId} had another load (${loadOf(run)}) than the base (${loadOf(reference)}): compare runs of the same load`,
      ]);
  }
}

const loadOf = ({ workload, profile: { name, model, rate, seconds } }: LoadResult) =>
  `${workload}, ${name}, ${model} model, ${rate} requests/s, ${seconds} s`;
