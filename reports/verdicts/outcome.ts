import { groupBy } from "../text/grouping.ts";
import { plural } from "../text/wording.ts";
import type { CheckResult, Outcome, VerdictsFile } from "./verdict.ts";

export type Command = "certify" | "gate";

/** Something besides a check that decides the run: a fault of the suite, bad input, a refusal to start, a waiver. */
export interface Problem {
  readonly kind: "suite" | "usage" | "refused" | "waiver";
  readonly text: string;
}

/** All that the outcome of a run depends on. */
export interface Findings {
  readonly checks: readonly CheckResult[];
  readonly problems: readonly Problem[];
  readonly interrupted: boolean;
  readonly command: Command;
  readonly strict: boolean;
  readonly hardened: boolean;
  /** Only some of the checks were asked for. */
  readonly selected: boolean;
  readonly environment: VerdictsFile["target"]["environment"];
}

export interface Decision {
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** One sentence for people: what decided. */
  readonly because: string;
}

/** Turns the warning of a critical check into the failure that `--hardened` asks for. */
export function harden(checks: readonly CheckResult[]): CheckResult[] {
  return checks.map((check) =>
    check.critical && check.verdict === "warn" ? { ...check, verdict: "fail" } : check,
  );
}

/**
 * Decides what a run says. Exit codes by precedence: 70 suite error, 130 interrupted, 2 usage, 3 refused,
 * 1 not conformant, 5 waiver, 4 not fully verified, 0. The outcome is `conformant` only together with 0.
 */
export function decide(findings: Findings): Decision {
  const { problems, interrupted } = findings;
  const all = findings.hardened ? harden(findings.checks) : findings.checks;
  const broken = [
    ...texts(problems, "suite"),
    ...all.filter((check) => check.verdict === "suite-error").map((check) => `${check.id}: ${check.message}`),
  ];
  if (broken.length > 0) return decision("error", 70, `the suite itself broke: ${first(broken)}`);
  if (interrupted) return decision("interrupted", 130, `the run was interrupted${unrun(all)}`);
  const usage = texts(problems, "usage");
  if (usage.length > 0) return decision("refused", 2, first(usage));
  const refused = texts(problems, "refused");
  if (refused.length > 0) return decision("refused", 3, first(refused));

  // On a live host only the separation of environments is judged; the mandate marks those checks.
  const live = findings.environment === "live";
  const checks = live ? all.filter((check) => check.basis === "mandate") : all;
  const failed = checks.filter((check) => check.verdict === "fail");
  if (failed.length > 0) return decision("non-conformant", 1, failure(failed));
  const stale = texts(problems, "waiver");
  if (stale.length > 0) return decision("not-fully-verified", 5, first(stale));
  return verified({ ...findings, checks });
}

/** Decides a run without failures: whether what it did is enough. */
function verified({ checks, command, strict, selected, environment }: Findings): Decision {
  const must = checks.filter((check) => check.level === "MUST");
  const passed = must.filter((check) => check.verdict === "pass");
  const open = must.filter(isOpen);
  const proven = selected ? checks.some(isDecisive) : passed.length > 0;
  if (!proven) {
    const nothing = selected ? "not one selected check came to a verdict" : "not one MUST check passed";
    return decision("not-fully-verified", 4, `${nothing}, so nothing is proven`);
  }

  const forgiven = command === "gate" && !strict && open.every(wantsOnlyData);
  if (open.length > 0 && !forgiven) {
    const parts = [...groupBy(open, (check) => check.verdict)];
    const counts = parts.map(([verdict, some]) => `${some.length} ${verdict}`).join(", ");
    return decision("not-fully-verified", 4, `${are(open, "MUST check")} open: ${counts}`);
  }
  const waived = checks.filter((check) => check.verdict === "waived");
  if (open.length > 0) {
    const why = "for want of variables or because a list is empty";
    return decision("not-fully-verified", 0, `no MUST check failed; ${are(open)} open ${why}`);
  }
  if (waived.length > 0) {
    return decision(
      "not-fully-verified",
      0,
      `nothing failed but what is waived: ${waived.map((c) => c.id).join(", ")}`,
    );
  }
  if (selected)
    return decision("not-fully-verified", 0, "the selected checks passed, the others were not run");
  if (environment === "live") return decision("conformant", 0, "the live host refuses the test key");
  return decision("conformant", 0, `every MUST check passed (${passed.length})`);
}

/** Says whether a check came to no full verdict, other than by the operator's declaration. */
function isOpen(check: CheckResult): boolean {
  if (check.verdict === "not-tested") return check.reason !== "out-of-scope";
  return check.verdict === "inconclusive" || check.verdict === "pass-weak";
}

function isDecisive(check: CheckResult): boolean {
  return check.verdict !== "not-tested" && check.verdict !== "inconclusive";
}

function wantsOnlyData(check: CheckResult): boolean {
  if (check.verdict === "pass-weak") return (check.variables ?? []).length > 0;
  return check.verdict === "not-tested" && (check.reason === "variable" || check.reason === "empty-list");
}

function failure(failed: readonly CheckResult[]): string {
  const must = failed.filter((check) => check.level === "MUST").length;
  const parts = [
    ...(must > 0 ? [plural(must, "MUST check")] : []),
    ...(failed.length > must
      ? [`${plural(failed.length - must, "critical SHOULD check")} (--hardened)`]
      : []),
  ];
  return `${parts.join(" and ")} failed`;
}

function unrun(checks: readonly CheckResult[]): string {
  const left = checks.filter((check) => check.reason === "interrupted");
  return left.length > 0 ? `, ${plural(left.length, "check")} did not start` : "";
}

function are(checks: readonly CheckResult[], noun?: string): string {
  const verb = checks.length === 1 ? "is" : "are";
  return noun ? `${plural(checks.length, noun)} ${verb}` : `${checks.length} ${verb}`;
}

function texts(problems: readonly Problem[], kind: Problem["kind"]): string[] {
  return problems.filter((problem) => problem.kind === kind).map((problem) => problem.text);
}

function first([text = "", ...others]: readonly string[]): string {
  return others.length > 0 ? `${text} (and ${others.length} more)` : text;
}

function decision(outcome: Outcome, exitCode: number, because: string): Decision {
  return { outcome, exitCode, because };
}
