import { join } from "node:path";
import { z } from "zod";
import { type Command, CommandError } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { type Paint, painter, showsColor } from "../../reports/console/layout.ts";
import { runsWith } from "../../reports/run-folders.ts";
import { targetName } from "../../reports/verdicts/headline.ts";
import { alignColumns, percent, plural, printable } from "../../reports/wording.ts";
import { type LoadResult, REPORTED_PERCENTILES, RESULT } from "../results/result.ts";

/** A result of this version. */
const Result = z
  .looseObject({ schema: z.literal("payments-conformance/load@3") })
  .transform((file) => file as unknown as LoadResult);

/** Compares a candidate with the base, and returns 1 if it is worse beyond the noise. */
export const compare: Command = defineCommand({
  name: "load compare",
  about: `Compares runs of the same load. Each is the folder of a run, or a folder of repeated runs; three or more base runs
show how much runs differ by themselves.`,
  takes: ["<base>", "<candidate>"],
  options: {},
  tables: {
    "Exit codes": {
      0: "the candidate is no worse",
      1: "the candidate is worse beyond the noise",
      2: "wrong usage or configuration",
    },
  },
  run: ({ words: [base = "", candidate = ""], stdout, env }) => {
    const before = readResults(base);
    const after = readResults(candidate, before[0]);
    const changes = changesBetween(before, after);
    if (changes.length === 0)
      throw new CommandError(2, [
        `${candidate} has no percentile in common with the base: the runs had too few responses; raise RATE or DURATION`,
      ]);
    const slower = changes.filter(({ verdict }) => verdict === "worse");
    const worse = [
      ...newlyFailed(before, after),
      ...slower.map((one) => `${one.operation} ${one.percentile} ${changeOf(one)}`),
    ];
    const paint = painter(showsColor(stdout, env));
    const lines = [
      sideLine("base", before),
      sideLine("candidate", after),
      "",
      ...changeLines(changes, paint),
      ...(before.length < MIN_BASE_RUNS ? [ASSUMED] : []),
      "",
      worse.length > 0
        ? `${paint("red", "WORSE")} (exit code 1): ${printable(worse.join("; "))}`
        : `${paint("green", "NO WORSE")} (exit code 0): every change is an improvement or within the noise`,
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
  const [first] = runs;
  const about = first && `${targetName(first)}: ${plural(runs.length, "run")} of ${loadOf(first)}`;
  return printable(`${side.padEnd(10)} ${about}, ${first?.startedAt.slice(0, 16).replace("T", " ")} UTC`);
}

const STYLES = { worse: "red", better: "green", same: "dim" } as const;

function changeLines(changes: readonly Change[], paint: Paint): string[] {
  const head = ["", "", "base ms", "now ms", "change", "noise", ""];
  const rows = changes.map((one) => [
    one.operation,
    one.percentile,
    one.baseMs.toFixed(1),
    one.candidateMs.toFixed(1),
    changeOf(one),
    `${signed(1 / one.noise - 1)} to ${signed(one.noise - 1)}`,
    one.verdict === "same" ? "" : one.verdict,
  ]);
  const styles = ["dim" as const, ...changes.map(({ verdict }) => STYLES[verdict])];
  return alignColumns([head, ...rows], 2).map((line, index) => paint(styles[index] ?? "dim", line));
}

const changeOf = ({ baseMs, candidateMs }: Change) => signed(candidateMs / baseMs - 1);
const signed = (change: number) => `${change < 0 ? "-" : "+"}${Math.abs(change * 100).toFixed(1)} %`;

type Runs = readonly LoadResult[];

/** Failures may be fast: a candidate is worse that fails where the base did not. */
const newlyFailed = (base: Runs, candidate: Runs): string[] => {
  const [failed] = candidate.filter(({ outcome }) => outcome === "failed");
  return failed && base.every(({ outcome }) => outcome !== "failed")
    ? [`the run ${failed.runId} failed (${failed.because})`]
    : [];
};

type Change = ReturnType<typeof changesBetween>[number];

/** Compares each percentile of each operation: the medians of the runs of the base and of the candidate. */
export function changesBetween(base: Runs, candidate: Runs) {
  const operations = [...new Set(base.flatMap((run) => Object.keys(run.measured?.operations ?? {})))];
  return operations.flatMap((operation) =>
    REPORTED_PERCENTILES.flatMap((percentile) => {
      const valuesOf = (runs: Runs) =>
        runs.flatMap((run) => run.measured?.operations[operation]?.latencyMs[percentile] ?? []);
      const [before, after] = [valuesOf(base), valuesOf(candidate)];
      if (before.length === 0 || after.length === 0) return [];
      const [baseMs, candidateMs] = [medianOf(before), medianOf(after)];
      const noise = noiseOf(before, after.length);
      const factor = candidateMs / baseMs;
      const isSame = Math.abs(candidateMs - baseMs) <= CLOCK_MS || (factor <= noise && factor >= 1 / noise);
      const verdict = isSame ? "same" : factor > 1 ? "worse" : "better";
      return [{ operation, percentile, baseMs, candidateMs, noise, verdict } as const];
    }),
  );
}

/** Milliseconds below which a change of latency is the clock's: schedule lag is measured in whole milliseconds. */
const CLOCK_MS = 1;

/** Fewer base runs say too little about how much they differ. */
const MIN_BASE_RUNS = 3;
/** The change to take for noise then. */
const ASSUMED_NOISE = 0.2;
const ASSUMED = `The noise is assumed to be ${percent(ASSUMED_NOISE)}: repeat the base run ${MIN_BASE_RUNS} times or more, with --out <folder>, and compare with that folder`;

/**
 * Quantiles of Student's t for 99 % (both sides), by degrees of freedom from 2. A comparison has some ten figures, and one
 * in a hundred may then be called a change without being one.
 */
const T_99 = [9.92, 5.84, 4.6, 4.03, 3.71, 3.5, 3.36, 3.25, 3.17, 3.11, 3.05, 3.01, 2.98] as const;
const T_99_MANY = 2.95;

/** The width of a bucket of the histograms. */
const RESOLUTION = 0.016;

/**
 * The factor by which the median of `repeats` further runs differs from the base at most, in 99 of 100 cases. With few base
 * runs it is assumed.
 */
function noiseOf(base: readonly number[], repeats: number): number {
  if (base.length < MIN_BASE_RUNS) return 1 + ASSUMED_NOISE;
  // Latencies vary by factors.
  const logs = base.map(Math.log);
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1);
  const t = T_99[logs.length - MIN_BASE_RUNS] ?? T_99_MANY;
  return Math.max(1 + RESOLUTION, Math.exp(t * Math.sqrt(variance * (1 / logs.length + 1 / repeats))));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
