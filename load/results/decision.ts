/** What a load run found, as far as the exit code depends on it. */
export interface Findings {
  /** Failures of the suite itself. */
  readonly errors: readonly string[];
  readonly interrupted: boolean;
  readonly brokenInvariants: readonly string[];
  /** Why the run proves nothing: the generator was too slow, or the transfer list proved nothing. */
  readonly undecided: readonly string[];
  readonly brokenThresholds: readonly string[];
}

/** The verdict of a load run. */
export interface Decision {
  readonly outcome: "passed" | "failed" | "undecided" | "interrupted" | "error";
  readonly exitCode: 0 | 1 | 4 | 70 | 130;
  readonly because: string;
}

/**
 * Decides by the worst finding: 70 the suite failed, 130 interrupted, 1 broken invariant, 4 undecided, 1 broken
 * threshold, 0 passed. A wrong command line (2) and a failed preflight (3) end a run before it has findings.
 */
export function decide(findings: Findings): Decision {
  const { errors, interrupted, brokenInvariants, undecided, brokenThresholds } = findings;
  const [error] = errors;
  if (error !== undefined) return { outcome: "error", exitCode: 70, because: error };
  if (interrupted) return { outcome: "interrupted", exitCode: 130, because: "the run was interrupted" };
  if (brokenInvariants.length > 0) return failed("invariant", brokenInvariants);
  if (undecided.length > 0) return { outcome: "undecided", exitCode: 4, because: undecided.join("; ") };
  if (brokenThresholds.length > 0) return failed("threshold", brokenThresholds);
  return { outcome: "passed", exitCode: 0, because: "no invariant is broken, and all thresholds are met" };
}

const failed = (what: string, broken: readonly string[]): Decision => ({
  outcome: "failed",
  exitCode: 1,
  because: `broken ${what}${broken.length > 1 ? "s" : ""}: ${broken.join("; ")}`,
});
