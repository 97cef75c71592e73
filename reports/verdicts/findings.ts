import { contract } from "../../schemas/contract.ts";
import { groupBy } from "../grouping.ts";
import { cut, plural, present, type Row, rowsOf, shown } from "../wording.ts";
import { blockedIn, groupInWords, isBlocked, openReason } from "./open.ts";
import { rulesOf, sourcesOf } from "./rules.ts";
import {
  type CheckResult,
  hasVerdict,
  isCriticalFinding,
  isMustFailure,
  isPlainWarning,
  isUndecided,
  type Verdict,
  type Verdicts,
} from "./verdict.ts";

/** Says how hard a check judges. */
export function levelOf({ level, critical }: Pick<CheckResult, "level" | "critical">): string {
  if (!critical) return level;
  return level === "MUST" ? "MUST, with a critical finding" : "CRITICAL";
}

/** Says what the API did, or why the check did not decide. */
export const actualOf = (check: CheckResult): string =>
  check.actual ?? check.message ?? (isUndecided(check) ? openReason(check) : shown[check.verdict].word);

/** Says in one line what a check found, without the operation, which its id names, and without the rule and the body. */
export function findingOf(check: CheckResult): string {
  const { actual, expected, message, verdict } = check;
  if (verdict === "inconclusive") return message ?? openReason(check);
  const text =
    actual !== undefined && expected !== undefined ? `${actual}; expected ${expected}` : actualOf(check);
  return isCriticalFinding(check) ? `${text} (critical finding)` : text;
}

/** Whether the message of a check says what the API did. */
const SEEN: readonly Verdict[] = ["fail", "warn", "waived", "inconclusive", "suite-error"];

/** A finding names this many files of its evidence; `verdicts.json` names all of them. */
const FILES = 3;

/**
 * Returns a function that lists what is known about a check of a run, in the order in which every report shows it; its
 * evidence is below `directory`.
 */
export function detailsIn({ checks, waivers }: Pick<Verdicts, "checks" | "waivers">, directory?: string) {
  const blocked = blockedIn(checks);
  return (check: CheckResult): Row[] => {
    const { id, level, title, verdict, message } = check;
    const { method, route } = contract[check.operation];
    const following = consequencesOf(check, checks);
    const blocks = [check, ...following].reduce((sum, one) => sum + (blocked.get(one.id)?.length ?? 0), 0);
    const waiver = waivers.find((one) => one.check === id);
    const accepted =
      waiver && present(waiver.reason, waiver.owner, waiver.ticket, `until ${waiver.expires}`).join(", ");
    const evidence = check.exchanges.map((path) => (directory ? `${directory}/${path}` : path));
    const isSeen = SEEN.includes(verdict);
    const rules = [...check.requirements, ...sourcesOf(check)].join(", ");
    return rowsOf([
      // How waivers and `--select` name the check, and what it rests on.
      ["check", `${id} (${levelOf(check)}; ${rules})`],
      ["operation", `${method} ${route}`],
      level === "OBSERVE" ? ["observes", title] : ["checks that", `the API ${title}`],
      ["actual", check.actual ?? (isSeen && message)],
      ["note", !isSeen && message],
      ["expected", verdict !== "inconclusive" && check.expected],
      // Only a MUST check requires what its rules say.
      [level === "MUST" ? "required by" : "based on", ...rulesOf(check)],
      ["response", check.body],
      ["settled by", check.settledBy],
      ["evidence", ...cut(evidence, FILES, (count) => `${count} more in verdicts.json`)],
      ["waiver", accepted],
      ["blocked by", check.blockedBy],
      ["explains", explained(following)],
      ["blocks", blocks > 0 && `${plural(blocks, "other check")}, which could not run`],
    ]);
  };
}

/** The failures that follow from another in full, since each needs a waiver of its own, and how much else does. */
function explained(following: readonly CheckResult[]): string {
  const warned = following.filter(hasVerdict("warn")).length;
  const open = following.filter(hasVerdict("inconclusive")).length;
  return present(
    ...following.filter(hasVerdict("fail")).map(({ id }) => `the failure of ${id}`),
    warned > 0 && plural(warned, "warning"),
    open > 0 && `${plural(open, "check")} that could not decide`,
  ).join(", ");
}

/** The findings that a failure explains: where an operation is not at its path, its other checks fail as well. */
function consequencesOf({ id, operation, verdict }: CheckResult, checks: readonly CheckResult[]) {
  if (verdict !== "fail" || id !== `${operation}/exists`) return [];
  return checks.filter(
    (check) =>
      check.id !== id &&
      check.operation === operation &&
      (["fail", "warn", "inconclusive"] as const).some((one) => hasVerdict(one)(check)) &&
      !isBlocked(check),
  );
}

/**
 * The findings of a run without those that another failure explains: failures, critical findings, warnings and undecided
 * checks.
 */
export function findingsIn(checks: readonly CheckResult[]) {
  const explained = new Set(checks.flatMap((check) => consequencesOf(check, checks)));
  const own = checks.filter((check) => !explained.has(check));
  return {
    failed: own.filter(isMustFailure),
    critical: own.filter(isCriticalFinding),
    warned: own.filter(isPlainWarning),
    undecided: own.filter((check) => hasVerdict("inconclusive")(check) && !isBlocked(check)),
  };
}

/** From this many checks on, a finding that they share is shown once. */
const MANY = 4;

/** Groups checks that have the same finding; where few share one, each check is a group. */
export const alike = (checks: readonly CheckResult[]): CheckResult[][] =>
  [...groupBy(checks, (check) => `${check.level} ${findingOf(check)}`).values()].flatMap((group) =>
    group.length < MANY ? group.map((check) => [check]) : [group],
  );

/** Says each finding in one line; what many checks share is said once, and first. */
export function briefly(checks: readonly CheckResult[]): string[] {
  const groups = alike(checks).toSorted((one, other) => other.length - one.length);
  return groups.flatMap((group) => {
    const [first, other] = group;
    return first ? [`${other ? groupInWords(group) : first.id}: ${findingOf(first)}`] : [];
  });
}
