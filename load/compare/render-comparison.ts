import { type Paint, painter } from "../../reports/console/paint.ts";
import { plural, printable } from "../../reports/wording.ts";
import { alignColumns } from "../results/console.ts";
import { targetOf } from "../results/headline.ts";
import type { LoadResult } from "../results/result.ts";
import { type Comparison, isWorse, type LatencyChange, type Verdict } from "./comparison.ts";
import { MIN_BASE_RUNS } from "./noise.ts";

const STYLES = { worse: "red", better: "green", same: "dim" } as const;

/** Describes the runs that a comparison has on one side. */
export function sideLine(side: string, runs: readonly LoadResult[]): string {
  const [first] = runs;
  if (!first) return side;
  const { workload, profile, startedAt } = first;
  return printable(
    `${side.padEnd(10)} ${targetOf(first)}: ${plural(runs.length, "run")} of ${workload}, ${profile.name} (${profile.rate} requests/s, ${profile.seconds} s), ${startedAt.slice(0, 16).replace("T", " ")} UTC`,
  );
}

/** Shows what changed for each operation and percentile, and what is worse. */
export function renderComparison(comparison: Comparison, color: boolean): string {
  const paint = painter(color);
  const { latencies, failures, newlyBroken } = comparison;
  const lines = [
    ...latencyLines(latencies, paint),
    ...failures.map(
      ({ operation, base, candidate, verdict }) =>
        `${operation}: ${percent(base)} throttled or failed, now ${percent(candidate)}${said(verdict, paint)}`,
    ),
    ...newlyBroken.map((id) => `newly broken invariant: ${id}${said("worse", paint)}`),
    ...assumedLine(latencies),
    "",
    conclusion(comparison, paint),
  ];
  return lines.join("\n");
}

function latencyLines(latencies: readonly LatencyChange[], paint: Paint): string[] {
  const rows = latencies.map(({ operation, percentile, baseMs, candidateMs, band, verdict }) => [
    operation,
    percentile,
    baseMs.toFixed(1),
    candidateMs.toFixed(1),
    signed(candidateMs / baseMs - 1),
    `${signed(band.from - 1)} to ${signed(band.to - 1)}`,
    verdict === "same" ? "" : verdict,
  ]);
  const head = ["", "", "base ms", "now ms", "change", "noise", ""];
  const [first = "", ...others] = alignColumns([head, ...rows], 2);
  const styled = others.map((line, index) => paint(STYLES[latencies[index]?.verdict ?? "same"], line));
  return [paint("dim", first), ...styled];
}

function assumedLine(latencies: readonly LatencyChange[]): string[] {
  if (latencies.every(({ band }) => band.isMeasured)) return [];
  return [
    `The noise is assumed (--noise): repeat the base run ${MIN_BASE_RUNS} times or more, with --out <folder>, and compare with that folder`,
  ];
}

function conclusion(comparison: Comparison, paint: Paint): string {
  const { latencies, failures, newlyBroken } = comparison;
  const worse = [
    ...newlyBroken,
    ...failures
      .filter(({ verdict }) => verdict === "worse")
      .map(({ operation }) => `${operation} fails more often`),
    ...latencies
      .filter(({ verdict }) => verdict === "worse")
      .map(
        ({ operation, percentile, baseMs, candidateMs }) =>
          `${operation} ${percentile} ${signed(candidateMs / baseMs - 1)}`,
      ),
  ];
  return isWorse(comparison)
    ? `${paint("red", "WORSE")} (exit code 1): ${worse.join("; ")}`
    : `${paint("green", "NO WORSE")} (exit code 0): every change is an improvement or within the noise`;
}

const said = (verdict: Verdict, paint: Paint) =>
  verdict === "same" ? "" : `: ${paint(STYLES[verdict], verdict)}`;

const percent = (share: number) => `${Number((share * 100).toPrecision(3))} %`;
const signed = (change: number) => `${change < 0 ? "-" : "+"}${Math.abs(change * 100).toFixed(1)} %`;
