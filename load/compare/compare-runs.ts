import { statSync } from "node:fs";
import { join } from "node:path";
import { type Command, CommandError } from "../../reports/command-line/command.ts";
import { defineCommand } from "../../reports/command-line/define-command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { consoleOptions } from "../../reports/console/console.ts";
import { type Paint, painter } from "../../reports/console/layout.ts";
import { earlierRuns } from "../../reports/run-folders.ts";
import { targetName } from "../../reports/verdicts/headline.ts";
import { alignColumns, plural, printable } from "../../reports/wording.ts";
import { type LoadResult, LoadResultFile, RESULT } from "../results/result.ts";
import { changesBetween, MIN_BASE_RUNS, type Verdict } from "./comparison.ts";

/** Compares each candidate with the base, and returns 1 if one is worse beyond the noise. */
export const compare: Command = defineCommand({
  name: "load compare",
  about: `Compares runs of the same load. Each is the folder of a run, or a folder of repeated runs; three or more base runs
show how much runs differ by themselves.`,
  takes: ["<base>", "<candidate>..."],
  options: {
    noise: {
      type: "string",
      default: "20",
      about: "the change in percent to take for noise if there are fewer than 3 base runs (default: 20)",
    },
  },
  tables: {
    "Exit codes": {
      0: "no candidate is worse",
      1: "a candidate is worse beyond the noise",
      2: "wrong usage or configuration",
    },
  },
  run: ({ words: [base = "", ...candidates], values, stdout, env }) => {
    const assumedNoise = noiseFrom(values.noise);
    const before = readResults(base);
    const paint = painter(consoleOptions(stdout, env).color);
    const areWorse = candidates.map((path) => {
      const after = readResults(path, before[0]);
      const changes = changesBetween(before, after, assumedNoise);
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

/** Parses `--noise`, as a share; throws a {@link CommandError} (2). */
function noiseFrom(given: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(given)) return Number(given) / 100;
  throw new CommandError(2, [`--noise ${given}: must be a percentage, for example --noise 20`]);
}

type Comparison = ReturnType<typeof changesBetween>;

/** Reads the `result.json` of a run, or of every load run in a folder; all had the load of `base`, or else that of the first. */
function readResults(path: string, base?: LoadResult): LoadResult[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const runs = isFolder ? earlierRuns(path).filter(({ kind }) => kind === "load") : [];
  const folders = runs.length > 0 ? runs.map((run) => run.path) : [path];
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
          `The noise is assumed (--noise): repeat the base run ${MIN_BASE_RUNS} times or more, with --out <folder>, and compare with that folder`,
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
