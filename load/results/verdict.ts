import { firstWithReason } from "../../reports/verdicts/outcome.ts";
import type { Money } from "../../reports/verdicts/verdict.ts";
import { percent, plural } from "../../reports/wording.ts";
import type { Invariant } from "./invariant.ts";
import { latencyNote } from "./measurements.ts";
import type { Decision, Generator, LoadResult, LoadRun, Summary } from "./result.ts";
import { DEFAULT_LIMIT } from "./thresholds.ts";
import { lateness, validityOf } from "./validity.ts";

/** What a load run found, as far as the exit code depends on it. */
export interface Judged {
  readonly measured: Summary | undefined;
  readonly generator: Generator;
  readonly invariants: readonly Invariant[];
  /** Why the run proves too little. */
  readonly shortcomings: readonly string[];
  /** Failures of the suite itself. */
  readonly problems: readonly string[];
  readonly interrupted: boolean;
  /** Why the load was stopped before its end, if it was: then it cannot pass. */
  readonly stopped?: string | undefined;
  /** Whether the target did what it was stopped for. */
  readonly hasHarmed?: boolean;
}

/**
 * Decides by the worst finding: 70 the suite failed, 130 interrupted, 1 broken invariant or too many failed requests, 4
 * undecided, 1 another broken threshold, 0 passed. A wrong command line (2) and a failed preflight (3) end a run before it
 * has findings.
 */
export function verdictOf(judged: Judged): Decision {
  const { measured, generator, invariants, problems, shortcomings, interrupted, stopped } = judged;
  const { exceptions = 0, thresholds = [] } = measured ?? {};
  const inState = (state: Invariant["state"]) =>
    invariants.filter((one) => one.state === state).map(({ id, title, text }) => `${id} (${title}): ${text}`);
  const { why, remedy } = lateness(measured, generator);
  const isLate = validityOf(measured, generator) === "generator-limited";
  const undecided = [...inState("undecided"), ...shortcomings, ...(isLate ? [`${why}: ${remedy}`] : [])];
  const failed = thresholds.filter(({ ok, kind }) => !ok && kind === "failures");
  const missed = undecided.length > 0 ? [] : thresholds.filter(({ ok, kind }) => !ok && kind !== "failures");
  const tooBad = broken(
    "threshold",
    [...failed, ...missed].map(({ text }) => text),
  ).concat(thresholds.some(({ ok, isDefault }) => !ok && isDefault) ? OTHER_LIMITS : []);
  const stop = stopped === undefined ? [] : [`the load was stopped: ${stopped}`];
  /** What stopped the load is a reason of every end that has one. */
  const withStop = (...reasons: readonly string[]) => (reasons.length > 0 ? [...reasons, ...stop] : []);
  const scriptFailed = `the load script failed in ${exceptions} iterations; the log of k6 has the errors`;
  const [error] = [...problems, ...(exceptions > 0 ? [scriptFailed] : [])];
  return firstWithReason<Decision["outcome"], Decision["exitCode"]>(
    ["error", 70, error !== undefined && withStop(error)],
    ["interrupted", 130, interrupted && withStop("the run was interrupted")],
    ["failed", 1, withStop(...broken("invariant", inState("broken")))],
    // Failed requests are the target's, whatever else the run leaves undecided.
    ["failed", 1, failed.length > 0 && withStop(...tooBad)],
    ["failed", 1, judged.hasHarmed === true && stop],
    // What stopped the load explains the rest.
    ["undecided", 4, [...stop, ...undecided]],
    ["failed", 1, missed.length > 0 && tooBad],
    ["passed", 0, ["no invariant is broken", ...(measured ? [judgedIn(measured)] : [])]],
  );
}

const broken = (what: string, found: readonly string[]) =>
  found.length > 0 ? [`broken ${what}${found.length > 1 ? "s" : ""}: ${found.join("; ")}`] : [];

/** Judges a finished run and returns the content of `result.json`. */
export function resultOf(run: LoadRun, found: Judged, reconciled: number, money: Money): LoadResult {
  const { measured, generator, invariants, problems, stopped } = found;
  return {
    ...run,
    schema: "payments-conformance/load@2",
    finishedAt: new Date().toISOString(),
    ...(measured && { measured }),
    generator,
    validity: validityOf(measured, generator),
    ...(stopped !== undefined && { stopped }),
    reconciled,
    invariants,
    money,
    problems,
    ...verdictOf(found),
  };
}

/** Why a run proves too little: k6 sent fewer requests than planned. */
export function shortcomings(
  { iterations: planned }: Pick<LoadRun, "iterations">,
  { iterations, dropped }: Pick<Summary, "iterations" | "dropped">,
): string[] {
  return iterations + dropped < planned ? [`k6 started only ${iterations} of ${planned} requests`] : [];
}

/** How to set another limit than the default one. */
export const OTHER_LIMITS = "to set other limits, give technicalFailures and dropped in SLO";

/** Says by which limits a run was judged that kept all of them, and what was not judged. */
function judgedIn(measured: Summary): string {
  const { thresholds } = measured;
  const judged = thresholds.filter(({ isJudged = true }) => isJudged);
  const objectives = judged.filter(({ isDefault = false }) => !isDefault).length;
  const byDefault = judged
    .filter(({ isDefault }) => isDefault)
    .map(({ kind }) => (kind === "dropped" ? "dropped iterations" : "failed requests"))
    .map((what) => `at most ${percent(DEFAULT_LIMIT)} ${what}`);
  return [
    ...(objectives > 0 ? [`${plural(objectives, "objective")} of SLO met`] : []),
    ...(byDefault.length > 0 ? [`default limits met (${byDefault.join(", ")})`] : []),
    ...thresholds.filter(({ isJudged }) => isJudged === false).map(({ text }) => text),
    ...latencyNote(measured),
  ].join("; ");
}
