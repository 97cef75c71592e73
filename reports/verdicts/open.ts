import { groupBy } from "../text/grouping.ts";
import type { CheckResult, NotTestedReason } from "./verdict.ts";

const REASONS: Readonly<Record<NotTestedReason, string>> = {
  variable: "data or a consent is missing",
  "empty-list": "a list of the deployment is empty",
  spent: "the single-use data is used up",
  budget: "the payout budget or the time limit is used up",
  unaffordable: "not affordable by design: the amount is beyond any budget",
  "out-of-scope": "OUT_OF_SCOPE excludes the check",
  interrupted: "the run was interrupted",
  "not-embedded": "the check runs on the embedded sandbox only",
};

/** Groups the checks that were not tested or passed weakly by what would complete them, largest group first. */
export function openGroups(checks: readonly CheckResult[]) {
  const isOpen = ({ verdict }: CheckResult) => verdict === "not-tested" || verdict === "pass-weak";
  const open = checks.filter((check) => isOpen(check) && !isBlocked(check));
  return [...groupBy(open, openReason)]
    .map(([reason, some]) => ({ reason, checks: some }))
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

/** Says what would complete an open check, or why nothing can: `set CUSTOMER_ID`. */
export function openReason({ message, reason, variables = [] }: CheckResult): string {
  const names = variables.join(", ");
  // The message says which list is empty and what to add.
  if (reason === "empty-list") return message ?? REASONS[reason];
  if (!names) return reason ? REASONS[reason] : (message ?? "no reason given");
  if (reason === "budget") return `raise ${names}`;
  if (reason === "spent") return `provide unused data in ${names}`;
  return (reason === "variable" ? message : undefined) ?? `set ${names}`;
}

/** Whether only another check prevents this one from deciding; data that is missing comes first as a reason. */
export function isBlocked({ blockedBy, variables }: CheckResult): boolean {
  return blockedBy !== undefined && !variables?.length;
}

/** Counts, for each check that others need first, how many checks it blocks, directly or through others. */
export function blockedCounts(checks: readonly CheckResult[]): Map<string, number> {
  const blocker = new Map<string, string>();
  for (const check of checks) {
    if (check.blockedBy && isBlocked(check)) blocker.set(check.id, check.blockedBy);
  }
  const groups = groupBy(blocker.keys(), (id) => rootOf(id, blocker));
  return new Map([...groups].map(([root, { length }]) => [root, length]));
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
