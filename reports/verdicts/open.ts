import { groupBy } from "../text/grouping.ts";
import type { CheckResult, NotTestedReason } from "./verdict.ts";

/** Checks that stay open for one and the same reason. */
export interface OpenGroup {
  /** The variables that would complete the checks, or what else keeps them open. */
  readonly what: string;
  readonly checks: readonly CheckResult[];
}

const REASONS: Readonly<Record<NotTestedReason, string>> = {
  variable: "data or consent missing",
  "empty-list": "a list of the deployment is empty",
  spent: "data used up by an earlier run",
  budget: "the payout budget is exhausted",
  "out-of-scope": "declared out of scope",
  interrupted: "the run was interrupted",
  "not-embedded": "possible on the embedded sandbox only",
};

/** Groups what was not tested or is weak by what would change it, largest group first. */
export function openGroups(checks: readonly CheckResult[]): OpenGroup[] {
  const open = checks.filter((check) => check.verdict === "not-tested" || check.verdict === "pass-weak");
  const groups = groupBy(
    open.filter((check) => !isBlocked(check)),
    what,
  );
  return [...groups]
    .map(([key, some]) => ({ what: key, checks: some }))
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

function what(check: CheckResult): string {
  if (check.variables?.length) return check.variables.join(", ");
  if (check.verdict === "pass-weak") return "weak: no accepted control";
  return check.reason ? REASONS[check.reason] : (check.message ?? "no reason given");
}

/** Says whether only another check stands in the way; missing data is the nearer reason. */
export function isBlocked({ blockedBy, variables }: CheckResult): boolean {
  return blockedBy !== undefined && !variables?.length;
}

/** Counts, for each check that others could not run without, those others, however indirectly they depend. */
export function blockedCounts(checks: readonly CheckResult[]): Map<string, number> {
  const blocker = new Map<string, string>();
  for (const check of checks) {
    if (check.blockedBy && isBlocked(check)) blocker.set(check.id, check.blockedBy);
  }
  const counts = new Map<string, number>();
  for (const id of blocker.keys()) {
    const root = rootOf(id, blocker);
    counts.set(root, (counts.get(root) ?? 0) + 1);
  }
  return counts;
}

function rootOf(id: string, blocker: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = id;
  for (let next = blocker.get(at); next !== undefined && !seen.has(next); next = blocker.get(at)) {
    seen.add(next);
    at = next;
  }
  return at;
}
