/** What a load run found out, as far as its exit code goes. */
export interface Findings {
  /** The suite itself broke. */
  readonly errors: readonly string[];
  readonly interrupted: boolean;
  readonly brokenInvariants: readonly string[];
  /** Why the run says nothing: the generator was too slow, or the reconciliation found no answer. */
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
 * Decides by precedence: 70 the suite broke, 130 interrupted, 1 an invariant broken, 4 undecided, 1 a threshold
 * broken, 0. Usage (2) and preflight (3) end a run before there is anything to decide.
 */
export function decide(findings: Findings): Decision {
  const { errors, interrupted, brokenInvariants, undecided, brokenThresholds } = findings;
  const [error] = errors;
  if (error !== undefined) return { outcome: "error", exitCode: 70, because: error };
  if (interrupted) return { outcome: "interrupted", exitCode: 130, because: "the run was interrupted" };
  if (brokenInvariants.length > 0) {
    return { outcome: "failed", exitCode: 1, because: `invariant broken: ${brokenInvariants.join("; ")}` };
  }
  if (undecided.length > 0) return { outcome: "undecided", exitCode: 4, because: undecided.join("; ") };
  if (brokenThresholds.length > 0) {
    return { outcome: "failed", exitCode: 1, because: `threshold broken: ${brokenThresholds.join("; ")}` };
  }
  return { outcome: "passed", exitCode: 0, because: "all invariants held and all thresholds were met" };
}
