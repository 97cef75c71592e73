import type { Money } from "../../reports/verdicts/verdict.ts";
import type { Invariant } from "./invariant.ts";
import type { Decision, LoadResult, LoadRun, Validity } from "./result.ts";
import type { Summary } from "./summary.ts";
import { brokenThresholds } from "./thresholds.ts";

/** With a longer schedule lag or a busier CPU, the latencies are the generator's, not the target's. */
const MAX_LAG_MS = 20;
const MAX_CPU = 0.85;
/** The share of iterations that a valid run may drop because no virtual user was free. */
const MAX_DROPPED = 0.001;

export interface Judged {
  readonly measured: Summary | undefined;
  readonly cpuShare: number | undefined;
  readonly hasObjectives: boolean;
  readonly invariants: readonly Invariant[];
  /** Why the run proves too little. */
  readonly shortcomings: readonly string[];
  readonly problems: readonly string[];
  readonly interrupted: boolean;
  /** Why the load was stopped before its end, if it was. */
  readonly stopped?: string | undefined;
}

/** What a load run found, as far as the exit code depends on it. */
export interface Findings {
  /** Failures of the suite itself. */
  readonly errors: readonly string[];
  readonly interrupted: boolean;
  readonly brokenInvariants: readonly string[];
  /** Why the run proves nothing: the generator was too slow, or the transfer list proved nothing. */
  readonly undecided: readonly string[];
  readonly brokenThresholds: readonly string[];
  /** Why the load was stopped before its end, if it was: then it cannot pass. */
  readonly stopped?: string | undefined;
}

/**
 * Decides by the worst finding: 70 the suite failed, 130 interrupted, 1 broken invariant, 4 undecided, 1 broken
 * threshold, 0 passed. A wrong command line (2) and a failed preflight (3) end a run before it has findings.
 */
export function decide(findings: Findings): Decision {
  const { errors, interrupted, brokenInvariants, undecided, brokenThresholds, stopped } = findings;
  const stop = stopped === undefined ? [] : [`the load was stopped: ${stopped}`];
  const decision = (outcome: Decision["outcome"], exitCode: Decision["exitCode"], ...why: string[]) => ({
    outcome,
    exitCode,
    because: [...why, ...stop].join("; "),
  });
  const [error] = errors;
  if (error !== undefined) return decision("error", 70, error);
  if (interrupted) return decision("interrupted", 130, "the run was interrupted");
  if (brokenInvariants.length > 0) return decision("failed", 1, broken("invariant", brokenInvariants));
  // What stopped the load explains the rest.
  if (undecided.length + stop.length > 0)
    return { outcome: "undecided", exitCode: 4, because: [...stop, ...undecided].join("; ") };
  if (brokenThresholds.length > 0) return decision("failed", 1, broken("threshold", brokenThresholds));
  return decision("passed", 0, "no invariant is broken, and all thresholds are met");
}

const broken = (what: string, found: readonly string[]) =>
  `broken ${what}${found.length > 1 ? "s" : ""}: ${found.join("; ")}`;

/** Says whether the latencies are the target's own: in the open model, only if iterations started on time. */
export function validityOf(measured: Summary | undefined, cpuShare = 0): Validity {
  const lag = measured?.scheduleLagP99Ms;
  if (!measured || lag === undefined) return "valid";
  const scheduled = measured.iterations + measured.dropped;
  // k6 does not number what it drops, so everything after a drop seems late by one interval more.
  const explained = (measured.dropped * measured.durationMs) / Math.max(1, scheduled);
  if (lag - explained > MAX_LAG_MS || cpuShare > MAX_CPU) return "generator-limited";
  return measured.dropped > scheduled * MAX_DROPPED ? "target-limited" : "valid";
}

export function verdictOf(judged: Judged): Decision {
  const { measured, cpuShare, invariants, problems, interrupted, hasObjectives } = judged;
  const { exceptions = 0, dropped } = measured ?? {};
  const validity = validityOf(measured, cpuShare);
  const inState = (state: Invariant["state"]) =>
    invariants.filter((one) => one.state === state).map(({ id, title, text }) => `${id} (${title}): ${text}`);
  const errors = [...problems];
  if (exceptions > 0)
    errors.push(`the load script failed in ${exceptions} iterations; the log of k6 has the errors`);
  const undecided = [...inState("undecided"), ...judged.shortcomings];
  if (validity === "generator-limited") undecided.push(generatorTooSlow(measured, cpuShare));
  const thresholds = measured ? brokenThresholds(measured) : [];
  if (validity === "target-limited" && hasObjectives)
    thresholds.push(`the target was so slow that k6 dropped ${dropped} iterations`);
  return decide({
    errors,
    interrupted,
    brokenInvariants: inState("broken"),
    undecided,
    brokenThresholds: thresholds,
    stopped: judged.stopped,
  });
}

/** Judges a finished run and returns the content of `result.json`. */
export function resultOf(
  run: LoadRun,
  found: Omit<Judged, "hasObjectives">,
  reconciled: number,
  money: Money,
): LoadResult {
  const { measured, cpuShare, invariants, problems, stopped } = found;
  return {
    ...run,
    schema: "payments-conformance/load@2",
    finishedAt: new Date().toISOString(),
    ...(measured && { measured }),
    generator: cpuShare === undefined ? {} : { cpuShare },
    validity: validityOf(measured, cpuShare),
    ...(stopped !== undefined && { stopped }),
    reconciled,
    invariants,
    money,
    problems,
    ...verdictOf({ ...found, hasObjectives: run.objectives !== undefined }),
  };
}

function generatorTooSlow(measured: Summary | undefined, cpuShare: number | undefined): string {
  const lag = Math.round(measured?.scheduleLagP99Ms ?? 0);
  const cpu = cpuShare === undefined ? "" : `, CPU ${Math.round(cpuShare * 100)} % busy`;
  return `k6 was too slow for this rate (p99 of the schedule lag ${lag} ms${cpu}): lower RATE, or use a larger or less busy machine, or several`;
}
