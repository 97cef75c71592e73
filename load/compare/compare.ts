import { statSync } from "node:fs";
import { join } from "node:path";
import { type Command, CommandError } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { consoleOptions } from "../../reports/console/console.ts";
import { type Paint, painter } from "../../reports/console/layout.ts";
import { runsWith } from "../../reports/run-folders.ts";
import { targetName } from "../../reports/verdicts/headline.ts";
import { alignColumns, percent, plural, printable } from "../../reports/wording.ts";
import { isTechnicalFailure, type Outcome } from "../k6/responses.ts";
import { addOutcomes, countOf } from "../results/measurements.ts";
import { type LoadResult, LoadResultFile, REPORTED_PERCENTILES, RESULT } from "../results/result.ts";

/** Compares each candidate with the base, and returns 1 if one is worse beyond the noise. */
export const compare: Command = defineCommand({
  name: "load compare",
  about: `Compares runs of the same load. Each is the folder of a run, or a folder of repeated runs; three or more base runs
show how much runs differ by themselves.`,
  takes: ["<base>", "<candidate>..."],
  options: {},
  tables: {
    "Exit codes": {
      0: "no candidate is worse",
      1: "a candidate is worse beyond the noise",
      2: "wrong usage or configuration",
    },
  },
  run: ({ words: [base = "", ...candidates], stdout, env }) => {
    const before = readResults(base);
    const paint = painter(consoleOptions(stdout, env).color);
    const areWorse = candidates.map((path) => {
      const after = readResults(path, before[0]);
      const changes = changesBetween(before, after);
      if (changes.latencies.length === 0)
        throw new CommandError(2, [
          `${path} has no percentile in common with the base: the runs had too few responses; raise RATE or DURATION`,
        ]);
      const { lines, isWorse } = comparisonLines(changes, paint);
      stdout.write(`${[sideLine("base", before), sideLine("candidate", after), "", ...lines].join("\n")}\n`);
      return isWorse;
    });
    return areWorse.includes(true) ? 1 : 0;
  },
});

type Comparison = ReturnType<typeof changesBetween>;

/** Reads the `result.json` of a run, or of every load run in a folder; all had the load of `base`, or else that of the first. */
function readResults(path: string, base?: LoadResult): LoadResult[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const runs = isFolder ? runsWith(RESULT, path) : [];
  const folders = runs.length > 0 ? runs : [path];
  const hint = "name finished load runs of this version: a run folder, a folder of them, or a result.json";
  const results = folders.map((folder) =>
    readJsonFile("compare", isFolder ? join(folder, RESULT) : folder, LoadResultFile, hint),
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

const loadOf = ({ workload, profile: { name, model, rate, seconds } }: LoadResult) =>
  `${workload}, ${name}, ${model} model, ${rate} requests/s, ${seconds} s`;

/** Describes the runs that a comparison has on one side. */
function sideLine(side: string, runs: readonly LoadResult[]): string {
  const [first] = runs;
  if (!first) return side;
  const { workload, profile, startedAt } = first;
  return printable(
    `${side.padEnd(10)} ${targetName(first)}: ${plural(runs.length, "run")} of ${workload}, ${profile.name} (${profile.rate} requests/s, ${profile.seconds} s), ${startedAt.slice(0, 16).replace("T", " ")} UTC`,
  );
}

const STYLES = { worse: "red", better: "green", same: "dim" } as const;

/** Lists what changed for each operation and percentile, and then what is worse. */
function comparisonLines({ latencies, failures, newlyBroken }: Comparison, paint: Paint) {
  const said = (verdict: Verdict) => (verdict === "same" ? "" : `: ${paint(STYLES[verdict], verdict)}`);
  const isWorse = ({ verdict }: { readonly verdict: Verdict }) => verdict === "worse";
  const worse = [
    ...newlyBroken,
    ...failures.filter(isWorse).map(({ operation }) => `${operation} fails more often`),
    ...latencies.filter(isWorse).map((one) => `${one.operation} ${one.percentile} ${changeOf(one)}`),
  ];
  const isAssumed = latencies.some(({ band }) => !band.isMeasured);
  const lines = [
    ...latencyLines(latencies, paint),
    ...failures.map(({ operation, text, verdict }) => `${operation}: ${text}${said(verdict)}`),
    ...newlyBroken.map((id) => `newly broken invariant: ${id}${said("worse")}`),
    ...(isAssumed
      ? [
          `The noise is assumed to be ${percent(ASSUMED_NOISE)}: repeat the base run ${MIN_BASE_RUNS} times or more, with --out <folder>, and compare with that folder`,
        ]
      : []),
    "",
    worse.length > 0
      ? `${paint("red", "WORSE")} (exit code 1): ${worse.join("; ")}`
      : `${paint("green", "NO WORSE")} (exit code 0): every change is an improvement or within the noise`,
  ];
  return { lines, isWorse: worse.length > 0 };
}

type LatencyChange = Comparison["latencies"][number];

function latencyLines(latencies: readonly LatencyChange[], paint: Paint): string[] {
  const head = ["", "", "base ms", "now ms", "change", "noise", ""];
  const rows = latencies.map((one) => [
    one.operation,
    one.percentile,
    one.baseMs.toFixed(1),
    one.candidateMs.toFixed(1),
    changeOf(one),
    `${signed(one.band.from - 1)} to ${signed(one.band.to - 1)}`,
    one.verdict === "same" ? "" : one.verdict,
  ]);
  const styles = ["dim" as const, ...latencies.map(({ verdict }) => STYLES[verdict])];
  return alignColumns([head, ...rows], 2).map((line, index) => paint(styles[index] ?? "dim", line));
}

const changeOf = ({ baseMs, candidateMs }: LatencyChange) => signed(candidateMs / baseMs - 1);
const signed = (change: number) => `${change < 0 ? "-" : "+"}${Math.abs(change * 100).toFixed(1)} %`;

type Verdict = "worse" | "better" | "same";
type Runs = readonly LoadResult[];

/** Compares runs of a candidate with runs of the base. */
export function changesBetween(base: Runs, candidate: Runs) {
  const operations = [...new Set(base.flatMap((run) => Object.keys(run.measured?.operations ?? {})))];
  const latencies = operations.flatMap((operation) =>
    REPORTED_PERCENTILES.flatMap((percentile) => {
      const valuesOf = (runs: Runs) =>
        runs.flatMap((run) => run.measured?.operations[operation]?.latencyMs[percentile] ?? []);
      const [before, after] = [valuesOf(base), valuesOf(candidate)];
      if (before.length === 0 || after.length === 0) return [];
      return [{ operation, percentile, ...latencyChange(before, after) }];
    }),
  );
  const failures = operations.flatMap((operation) => failureChange(operation, base, candidate));
  /** The invariants that a run of the candidate broke and no run of the base did. */
  const newlyBroken = [...new Set(brokenIn(candidate))].filter((id) => !brokenIn(base).includes(id));
  return { latencies, failures, newlyBroken };
}

const brokenIn = (runs: Runs): string[] =>
  runs.flatMap(({ invariants }) =>
    invariants.flatMap(({ id, title, state }) => (state === "broken" ? [`${id} (${title})`] : [])),
  );

/** Milliseconds below which a change of latency is the clock's: schedule lag is measured in whole milliseconds. */
const CLOCK_MS = 1;

/** A percentile of an operation in the base and in the candidate: the medians of their runs. */
function latencyChange(before: readonly number[], after: readonly number[]) {
  const [baseMs, candidateMs] = [medianOf(before), medianOf(after)];
  const band = bandOf(before, after.length);
  const factor = candidateMs / baseMs;
  const isSame = Math.abs(candidateMs - baseMs) <= CLOCK_MS || (factor <= band.to && factor >= band.from);
  return { baseMs, candidateMs, band, verdict: verdictOn(!isSame, factor > 1) };
}

const verdictOn = (isChange: boolean, isMore: boolean): Verdict =>
  isChange ? (isMore ? "worse" : "better") : "same";

/** With a difference of more standard errors than this, two shares differ in 99.7 of 100 cases. */
const STANDARD_ERRORS = 3;

/** The share of the requests of an operation that got no usable response. */
function failureChange(operation: string, base: Runs, candidate: Runs) {
  const [before, after] = [failuresOf(operation, base), failuresOf(operation, candidate)];
  if (before.requests === 0 || after.requests === 0 || before.failed + after.failed === 0) return [];
  const pooled = (before.failed + after.failed) / (before.requests + after.requests);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.requests + 1 / after.requests));
  const [was, is] = [before.failed / before.requests, after.failed / after.requests];
  const isChange = Math.abs(is - was) > STANDARD_ERRORS * error;
  const text = `${percent(was, 3)} throttled or failed, now ${percent(is, 3)}`;
  return [{ operation, text, verdict: verdictOn(isChange, is > was) }];
}

function failuresOf(operation: string, runs: Runs) {
  const outcomes = addOutcomes(runs.flatMap((run) => run.measured?.operations[operation] ?? []));
  const isFailure = (one: Outcome) =>
    one === "throttled" || one === "valid-refused" || isTechnicalFailure(one);
  const failed = countOf(outcomes, isFailure);
  return { requests: countOf(outcomes), failed };
}

/** Fewer base runs say too little about how much they differ. */
const MIN_BASE_RUNS = 3;
/** The change to take for noise then. */
const ASSUMED_NOISE = 0.2;

/**
 * Quantiles of Student's t for 99 % (both sides), by degrees of freedom from 2. A comparison has some ten figures, and one
 * in a hundred may then be called a change without being one.
 */
const T_99 = [9.92, 5.84, 4.6, 4.03, 3.71, 3.5, 3.36, 3.25, 3.17, 3.11, 3.05, 3.01, 2.98] as const;
const T_99_MANY = 2.95;

/** The width of a bucket of the histograms. */
const RESOLUTION = 0.016;

/**
 * The band in which the median of `repeats` further runs lies in 99 of 100 cases, as factors of the base (from 0.9 to 1.1 is
 * ten percent either way). It is `isMeasured` if there are enough base runs, and otherwise assumed.
 */
export function bandOf(base: readonly number[], repeats: number) {
  const isMeasured = base.length >= MIN_BASE_RUNS;
  const spread = isMeasured ? spreadOf(base, repeats) : Math.log1p(ASSUMED_NOISE);
  const width = Math.max(spread, Math.log1p(RESOLUTION));
  return { from: Math.exp(-width), to: Math.exp(width), isMeasured };
}

/** Latencies vary by factors, hence the logarithms. */
function spreadOf(values: readonly number[], repeats: number): number {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1);
  const t = T_99[logs.length - MIN_BASE_RUNS] ?? T_99_MANY;
  return t * Math.sqrt(variance * (1 / logs.length + 1 / repeats));
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
