import { groupBy } from "../grouping.ts";
import { plural } from "../wording.ts";
import type { SinceBaseline } from "./baseline.ts";
import { type CheckResult, isOpen } from "./verdict.ts";
import { shown } from "./words.ts";

export type Command = "certify" | "gate";

/** Something other than a check that decides the run: a fault of the suite, bad input, a refusal to start, a waiver. */
export interface Problem {
  readonly kind: "suite" | "usage" | "refused" | "waiver";
  readonly text: string;
}

export interface Findings {
  readonly checks: readonly CheckResult[];
  readonly problems: readonly Problem[];
  readonly interrupted: boolean;
  readonly command: Command;
  readonly strict: boolean;
  /** The operator selected some of the checks. */
  readonly selected: boolean;
  readonly environment: "sandbox" | "live";
  /** What changed since an earlier run, if only new failures count. */
  readonly baseline?: SinceBaseline | undefined;
}

export type Outcome =
  | "conformant"
  | "non-conformant"
  | "not-fully-verified"
  | "refused"
  | "interrupted"
  | "error";

export interface Decision {
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** Says in one sentence, without its full stop, what decided. */
  readonly because: string;
}

/** Turns the warning of a critical check into the failure that `--hardened` asks for. */
export const harden = (checks: readonly CheckResult[]): CheckResult[] =>
  checks.map((check) => (check.critical && check.verdict === "warn" ? { ...check, verdict: "fail" } : check));

/**
 * Decides the outcome of a run. Exit codes by precedence: 70 suite error, 130 interrupted, 2 usage, 3 refused,
 * 1 not conformant, 5 waiver, 4 not fully verified, 0. The outcome is `conformant` only together with 0.
 */
export function decide(findings: Findings): Decision {
  const stopped = stoppedEarly(findings);
  if (stopped) return stopped;

  // On a live host only the separation of environments is judged; those checks rest on the users' mandate.
  const live = findings.environment === "live";
  const checks = findings.checks.filter(({ basis }) => !live || basis === "mandate");
  const failed = checks.filter((check) => check.verdict === "fail");
  if (findings.baseline) return decideByBaseline({ ...findings, checks }, findings.baseline);
  if (failed.length > 0) return decision("non-conformant", 1, failure(failed));
  const stale = texts(findings.problems, "waiver");
  if (stale.length > 0) return notVerified(5, first(stale));
  return decideWithoutFailure({ ...findings, checks });
}

/** Decides a run that broke, was interrupted, or did not start. */
function stoppedEarly({ checks, problems, interrupted }: Findings): Decision | undefined {
  const broken = [
    ...texts(problems, "suite"),
    ...checks.flatMap(({ id, verdict, message }) => (verdict === "suite-error" ? [`${id}: ${message}`] : [])),
  ];
  if (broken.length > 0) return decision("error", 70, `the suite itself broke: ${first(broken)}`);
  if (interrupted) return decision("interrupted", 130, `the run was interrupted${notStarted(checks)}`);
  const usage = texts(problems, "usage");
  if (usage.length > 0) return decision("refused", 2, first(usage));
  const refused = texts(problems, "refused");
  if (refused.length > 0) return decision("refused", 3, first(refused));
  return undefined;
}

/**
 * Decides a run that is compared with an earlier one: only new failures give 1. Known failures stay failures, so the
 * outcome is not better than without a baseline; only the exit code is.
 */
function decideByBaseline(findings: Findings, { newFailures, known, startedAt }: SinceBaseline): Decision {
  const failed = findings.checks.filter((check) => check.verdict === "fail");
  const outcome = failed.length > 0 ? "non-conformant" : "not-fully-verified";
  const since = `since the baseline of ${startedAt.slice(0, 10)}`;
  if (newFailures.length > 0)
    return decision(
      outcome,
      1,
      `${plural(newFailures.length, "new failure")} ${since}: ${first(newFailures)}`,
    );
  const stale = texts(findings.problems, "waiver");
  if (stale.length > 0) return decision(outcome, 5, first(stale));
  const without = decideWithoutFailure(findings);
  const isOld = without.exitCode === 4 && !findings.strict && findings.checks.some(isProven);
  if (failed.length === 0 && !isOld) return without;
  if (failed.length > 0 && without.exitCode === 4 && !isOld) return decision(outcome, 4, without.because);
  const rest =
    failed.length > 0
      ? `${plural(known.length, "known failure")} left`
      : `as open as before (${without.because})`;
  return decision(outcome, 0, `no new failure ${since}; ${rest}`);
}

const isProven = ({ level, verdict }: CheckResult) => level === "MUST" && verdict === "pass";

/** Decides a run without failures: whether what it verified is enough. */
function decideWithoutFailure(findings: Findings): Decision {
  const { checks, command, strict, selected } = findings;
  const must = checks.filter((check) => check.level === "MUST");
  const passed = must.filter((check) => check.verdict === "pass");
  const proven = selected ? checks.some(isDecisive) : passed.length > 0;
  if (!proven) {
    const nothing = selected ? "no selected check reached a verdict" : "no MUST check passed";
    return notVerified(4, `${nothing}, so nothing is proven`);
  }

  const open = must.filter(isOpen);
  const tolerated = command === "gate" && !strict && open.every(needsOnlyData);
  const areOpen = open.length === 1 ? "is open" : "are open";
  const rejected = checks.filter((check) => check.rejectedValidRequest).map(({ id }) => id);
  const reasons = [
    ...(open.length > 0 && !tolerated
      ? [`${plural(open.length, "MUST check")} ${areOpen}: ${countsOf(open)}`]
      : []),
    ...(rejected.length > 0
      ? [`the API rejected a valid request, which leaves ${first(rejected)} open`]
      : []),
  ];
  if (reasons.length > 0) return notVerified(4, reasons.join("; "));
  if (open.length > 0) {
    const why = "because a variable is not set or a list is empty";
    return notVerified(0, `no MUST check failed; ${open.length} ${areOpen} ${why}`);
  }
  return decideCompleted(findings, passed.length);
}

/** Decides a run in which nothing failed and no MUST check is open. */
function decideCompleted({ checks, selected, environment }: Findings, passed: number): Decision {
  const waived = checks.filter((check) => check.verdict === "waived").map(({ id }) => id);
  if (waived.length > 0) return notVerified(0, `every failure is waived: ${waived.join(", ")}`);
  if (selected) return notVerified(0, "the selected checks passed; the others were not run");
  if (environment === "live") return decision("conformant", 0, "the live host rejects the test key");
  return decision("conformant", 0, `every MUST check passed (${passed})`);
}

const isDecisive = ({ verdict }: CheckResult) => verdict !== "not-tested" && verdict !== "inconclusive";

function needsOnlyData(check: CheckResult): boolean {
  if (check.verdict === "pass-weak") return (check.variables ?? []).length > 0;
  return check.verdict === "not-tested" && (check.reason === "variable" || check.reason === "empty-list");
}

function failure(failed: readonly CheckResult[]): string {
  const must = failed.filter((check) => check.level === "MUST").length;
  const critical = failed.length - must;
  const parts = [
    ...(must > 0 ? [plural(must, "MUST check")] : []),
    ...(critical > 0 ? [`${plural(critical, "critical SHOULD check")} (--hardened)`] : []),
  ];
  return `${parts.join(" and ")} failed`;
}

function notStarted(checks: readonly CheckResult[]): string {
  const left = checks.filter((check) => check.reason === "interrupted");
  return left.length > 0 ? `; ${plural(left.length, "check")} did not start` : "";
}

function countsOf(checks: readonly CheckResult[]): string {
  const groups = groupBy(checks, ({ verdict }) => verdict);
  return [...groups].map(([verdict, { length }]) => `${length} ${shown[verdict].word}`).join(", ");
}

const texts = (problems: readonly Problem[], kind: Problem["kind"]) =>
  problems.flatMap((problem) => (problem.kind === kind ? [problem.text] : []));

const first = ([text = "", ...others]: readonly string[]) =>
  others.length > 0 ? `${text} (and ${others.length} more)` : text;

const decision = (outcome: Outcome, exitCode: number, because: string) => ({ outcome, exitCode, because });

const notVerified = (exitCode: number, because: string) => decision("not-fully-verified", exitCode, because);
