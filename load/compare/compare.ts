import { join } from "node:path";
import { z } from "zod";
import { runsWith } from "../../fixtures/engine/config/run-folder.ts";
import { type Command, CommandError } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { targetName } from "../../reports/verdicts/headline.ts";
import { alignColumns, percent, plural, printable, time } from "../../reports/wording.ts";
import { type LoadResult, REPORTED_PERCENTILES, RESULT } from "../results/result.ts";

/** A result of this version. */
const Result = z
  .looseObject({ schema: z.literal("payments-conformance/load@3") })
  .transform((file) => file as unknown as LoadResult);

/** A percentile is worse if it is this much above the slowest base run: less may be noise. */
const MARGIN = 0.2;
/** Milliseconds below which a change of latency is the clock's: k6 reads it in whole milliseconds. */
const CLOCK_MS = 1;

/** Compares a candidate with the base, and returns 1 if it is worse beyond the noise. */
export const compare: Command = defineCommand({
  name: "load compare",
  about: `Compares runs of the same load. Each is the folder of a run, or a folder of repeated runs. A percentile is worse if it is
more than ${percent(MARGIN)} above the slowest base run.`,
  takes: ["<base>", "<candidate>"],
  options: {},
  tables: {
    "Exit codes": {
      0: "the candidate is no worse",
      1: "the candidate is worse beyond the noise",
      2: "wrong usage or configuration",
    },
  },
  run: ({ words: [base = "", candidate = ""], stdout }) => {
    const before = readResults(base);
    const after = readResults(candidate, before[0]);
    const changes = changesBetween(before, after);
    if (changes.length === 0)
      throw new CommandError(2, [
        `${candidate} has no percentile in common with the base: the runs had too few responses; raise RATE or DURATION`,
      ]);
    const slower = changes.filter(({ isWorse }) => isWorse);
    const worse = [
      ...newlyFailed(before, after),
      ...slower.map(({ operation, percentile, change }) => `${operation} ${percentile} ${change}`),
    ];
    const rows = changes.map(({ operation, percentile, baseMs, candidateMs, change, isWorse }) => [
      operation,
      percentile,
      [...new Set([baseMs[0], baseMs.at(-1)])].map((ms = 0) => ms.toFixed(1)).join(" to "),
      candidateMs.toFixed(1),
      change,
      isWorse ? "worse" : "",
    ]);
    const lines = [
      sideLine("base", before),
      sideLine("candidate", after),
      "",
      ...alignColumns([["", "", "base ms", "now ms", "change", ""], ...rows], 2),
      "",
      worse.length > 0
        ? `WORSE (exit code 1): ${printable(worse.join("; "))}`
        : "NO WORSE (exit code 0): every change is an improvement or within the noise",
    ];
    stdout.write(`${lines.join("\n")}\n`);
    return worse.length > 0 ? 1 : 0;
  },
});

/** Reads the `result.json` of a run, or of every load run in a folder; all had the load of `base`, or else that of the first. */
function readResults(path: string, base?: LoadResult): LoadResult[] {
  const runs = runsWith(RESULT, path);
  const hint = "name finished load runs of this version: a run folder, or a folder of them";
  const results = (runs.length > 0 ? runs : [path]).map((folder) =>
    readJsonFile("compare", join(folder, RESULT), Result, hint),
  );
  for (const result of results) {
    const problem = problemOf(result, base ?? results[0] ?? result);
    if (problem) throw new CommandError(2, [`${path}: the run ${result.runId} ${problem}`]);
  }
  return results;
}

/** Only runs of the same load can be compared, and only if their latencies are the target's. */
function problemOf(run: LoadResult, base: LoadResult): string | undefined {
  if (!run.measured) return "has no measurements: repeat it";
  if (run.validity === "generator-limited")
    return "had a generator that was too slow, so its latencies are not the target's: repeat it with a lower RATE or on a less busy machine";
  if (loadOf(run) === loadOf(base)) return undefined;
  return `had another load (${loadOf(run)}) than the base (${loadOf(base)}): compare runs of the same load`;
}

const loadOf = ({ workload, profile: { name, rate, seconds } }: LoadResult) =>
  `${workload}, ${name}, ${rate} requests/s, ${seconds} s`;

function sideLine(side: string, runs: readonly LoadResult[]): string {
  const about = runs.slice(0, 1).map((first) => {
    return `${targetName(first)}: ${plural(runs.length, "run")} of ${loadOf(first)}, ${time(first.startedAt)}`;
  });
  return printable(`${side.padEnd(10)} ${about}`);
}

type Runs = readonly LoadResult[];

/** Failures may be fast: a candidate is worse that fails where the base did not. */
const newlyFailed = (base: Runs, candidate: Runs): string[] => {
  const [failed] = candidate.filter(({ outcome }) => outcome === "failed");
  return failed && base.every(({ outcome }) => outcome !== "failed")
    ? [`the run ${failed.runId} failed (${failed.because})`]
    : [];
};

/** Compares each percentile of each operation: the median of the candidate's runs with the base runs, from fast to slow. */
function changesBetween(base: Runs, candidate: Runs) {
  const operations = [...new Set(base.flatMap((run) => Object.keys(run.measured?.operations ?? {})))];
  return operations.flatMap((operation) =>
    REPORTED_PERCENTILES.flatMap((percentile) => {
      const valuesOf = (runs: Runs) =>
        runs
          .flatMap((run) => run.measured?.operations[operation]?.latencyMs[percentile] ?? [])
          .toSorted((a, b) => a - b);
      const [baseMs, after] = [valuesOf(base), valuesOf(candidate)];
      const slowest = baseMs.at(-1);
      if (slowest === undefined || after.length === 0) return [];
      const candidateMs = medianOf(after);
      const isWorse = candidateMs > slowest * (1 + MARGIN) && candidateMs - slowest > CLOCK_MS;
      const share = candidateMs / medianOf(baseMs) - 1;
      const change = `${share < 0 ? "" : "+"}${(share * 100).toFixed(1)} %`;
      return [{ operation, percentile, baseMs, candidateMs, change, isWorse }];
    }),
  );
}

/** The median of numbers in their order. */
function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
