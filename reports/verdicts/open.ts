import { groupBy } from "../grouping.ts";
import { plural, shown } from "../wording.ts";
import { type CheckResult, hasVerdict, isOpen, type NotTestedReason } from "./verdict.ts";

const REASONS: Readonly<Record<NotTestedReason, string>> = {
  variable: "data or a consent is missing",
  "empty-list": "a list of the deployment is empty",
  spent: "the single-use data is used up",
  budget: "the payout budget is used up",
  unaffordable: "the amounts are too large for any budget, on purpose",
  "out-of-scope": "OUT_OF_SCOPE excludes the check",
  "not-applicable": "the deployment leaves out what the check is about",
  interrupted: "the run was interrupted",
  unreachable: "the run ended early",
};

/** Groups the open checks that are no findings by what would complete them, the largest groups first. */
export function openGroups(checks: readonly CheckResult[]) {
  const open = checks.filter(
    (check) => isOpen(check) && !isBlocked(check) && check.verdict !== "inconclusive",
  );
  const sorted = (groups: ReadonlyMap<string, CheckResult[]>) =>
    [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  const blocked = sorted(blockedIn(checks)).map(([id, some]) => [`blocked by ${id}`, some] as const);
  return [...sorted(groupBy(open, openReason)), ...blocked];
}

/** Says what would complete an open check, or why nothing can: `set CUSTOMER_ID`. */
export function openReason({ message, reason, variables = [] }: CheckResult): string {
  const names = variables.join(", ");
  // The message says which list is empty and what to add, what is excluded, or why the run ended early.
  if (reason === "empty-list" || reason === "out-of-scope" || reason === "unreachable")
    return message ?? REASONS[reason];
  if (!names) return reason ? REASONS[reason] : (message ?? "no reason given");
  if (reason === "budget") return `raise ${names}`;
  if (reason === "spent") return `provide unused data in ${names}`;
  return (reason === "variable" ? message : undefined) ?? `set ${names}`;
}

/** Says what a group of checks is about, and of which operations: `7 checks on ownership (getDispute)`. */
export function groupInWords(checks: readonly CheckResult[]): string {
  const weak = checks.filter(hasVerdict("pass-weak")).length;
  const topics = [...new Set(checks.map(topicOf))].join(", ");
  return `${plural(checks.length, "check")} on ${topics} (${operationsOf(checks)})${weak > 0 ? `; ${weak} ${shown["pass-weak"].word}` : ""}`;
}

/** More operations than this are counted, not named. */
const MOST_NAMES = 4;

/** Names the operations of some results. */
export function operationsOf(results: readonly Pick<CheckResult, "operation">[]): string {
  const names = [...new Set(results.map(({ operation }) => operation))];
  return names.length > MOST_NAMES ? `${names.length} operations` : names.join(", ");
}

/** What reports say of a check that passed without proof, in full. */
export const WITHOUT_PROOF =
  "A check passes without proof if the API did what the check demands, but perhaps for another reason.";

/** Whether only another check prevents this one from deciding; data that is missing comes first as a reason. */
export function isBlocked({ blockedBy, variables }: CheckResult): boolean {
  return blockedBy !== undefined && !variables?.length;
}

/** The blocked checks by the id of the check that blocks them, directly or through others. */
export function blockedIn(checks: readonly CheckResult[]): Map<string, CheckResult[]> {
  const blockers = new Map(checks.filter(isBlocked).map(({ id, blockedBy }) => [id, blockedBy]));
  const rootOf = (id: string, seen = new Set<string>()): string => {
    const next = blockers.get(id);
    return next === undefined || seen.has(next) ? id : rootOf(next, seen.add(next));
  };
  return groupBy(checks.filter(isBlocked), ({ id }) => rootOf(id));
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
