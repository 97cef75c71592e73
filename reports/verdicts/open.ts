import { groupBy } from "../grouping.ts";
import { plural } from "../wording.ts";
import { type CheckResult, isOpen, type NotTestedReason, type Verdict } from "./verdict.ts";
import { shown } from "./words.ts";

const REASONS: Readonly<Record<NotTestedReason, string>> = {
  variable: "data or a consent is missing",
  "empty-list": "a list of the deployment is empty",
  spent: "the single-use data is used up",
  budget: "the payout budget or the time limit is used up",
  unaffordable: "the amounts are too large for any budget, on purpose",
  "out-of-scope": "OUT_OF_SCOPE excludes the check",
  "not-applicable": "the deployment leaves out what the check is about",
  interrupted: "the run was interrupted",
  "not-embedded": "the check runs on the embedded sandbox only",
};

/**
 * Groups the checks that were not tested or passed without proof by what would complete them, largest group first. Those
 * that the operator excluded are not among them.
 */
export function openGroups(checks: readonly CheckResult[]) {
  const open = checks.filter(
    (check) => isOpen(check) && check.verdict !== "inconclusive" && !isBlocked(check),
  );
  return [...groupBy(open, openReason)]
    .map(([reason, some]) => ({ reason, checks: some }))
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

/** Says what would complete an open check, or why nothing can: `set CUSTOMER_ID`. */
export function openReason({ message, reason, variables = [] }: CheckResult): string {
  const names = variables.join(", ");
  // The message says which list is empty and what to add, or what is excluded.
  if (reason === "empty-list" || reason === "out-of-scope") return message ?? REASONS[reason];
  if (!names) return reason ? REASONS[reason] : (message ?? "no reason given");
  if (reason === "budget") return `raise ${names}`;
  if (reason === "spent") return `provide unused data in ${names}`;
  return (reason === "variable" ? message : undefined) ?? `set ${names}`;
}

/** Says what a group of checks is about, and of which operations: `7 checks on ownership (getDispute)`. */
export function groupInWords(checks: readonly CheckResult[], { names: isNamed = true } = {}): string {
  const weak = checks.filter(({ verdict }) => verdict === "pass-weak").length;
  const topics = [...new Set(checks.map(topicOf))].join(", ");
  const names = [...new Set(checks.map(({ operation }) => operation))].join(", ");
  return `${plural(checks.length, "check")} on ${topics}${isNamed ? ` (${names})` : ""}${weak > 0 ? `; ${weak} ${shown["pass-weak"].word}` : ""}`;
}

/** What reports say of a check that passed without proof, in full. */
export const WITHOUT_PROOF =
  "A check passes without proof if the API did what the check demands, but perhaps for another reason.";

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

/** What checks are about, by the second part of their ids. */
const TOPICS: Readonly<Record<string, string>> = {
  answers: "every response",
  auth: "authentication",
  environment: "test and live",
  http: "HTTP",
  idempotency: "idempotency",
  paging: "pages",
  rejections: "rejections",
  values: "values",
};

export function topicOf({ id }: Pick<CheckResult, "id">): string {
  const [, part = "", ...rest] = id.split("/");
  if (/merchant/.test(id)) return "ownership";
  if (rest.length === 0) return "basics";
  return TOPICS[part] ?? "fields";
}

const DETAILED: readonly Verdict[] = ["fail", "warn", "inconclusive"];

/**
 * Findings explained by another failure, by the id of its check: where an operation is not at its path, its other checks
 * fail as well. A report lists them under that failure.
 */
export function consequencesOf(checks: readonly CheckResult[]): ReadonlyMap<string, readonly CheckResult[]> {
  const missing = checks.filter(
    ({ id, operation, verdict }) => verdict === "fail" && id === `${operation}/exists`,
  );
  return new Map(
    missing.map((cause) => [
      cause.id,
      checks.filter(
        (check) =>
          check !== cause &&
          check.operation === cause.operation &&
          DETAILED.includes(check.verdict) &&
          !isBlocked(check),
      ),
    ]),
  );
}
