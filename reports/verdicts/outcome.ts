import { z } from "zod";
import { plural } from "../wording.ts";
import type { SinceBaseline } from "./baseline.ts";
import { type CheckResult, hasVerdict, isOpen } from "./verdict.ts";
import { countsOf } from "./words.ts";

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

export const Outcome = z.enum([
  "conformant",
  "non-conformant",
  "not-fully-verified",
  "refused",
  "interrupted",
  "error",
]);
export type Outcome = z.infer<typeof Outcome>;

export interface Decision<O = Outcome, Code = number> {
  readonly outcome: O;
  readonly exitCode: Code;
  /** Says in one sentence, without its full stop, what decided. */
  readonly because: string;
}

/** A way in which a run may end, and the reasons for it. */
type Candidate<O, Code> = readonly [outcome: O, exitCode: Code, reasons: readonly string[] | string | false];

/** Ends a run, of checks or of load, with the first candidate that has a reason. */
export function firstWithReason<O, Code extends number>(
  ...candidates: readonly Candidate<O, Code>[]
): Decision<O, Code> {
  for (const [outcome, exitCode, reasons] of candidates) {
    const because = [reasons || []].flat().join("; ");
    if (because) return { outcome, exitCode, because };
  }
  throw new Error("a run ends without a reason");
}

/** Turns the warning of a critical check into the failure that `--hardened` asks for. */
export const harden = (checks: readonly CheckResult[]): CheckResult[] =>
  checks.map((check) => (check.critical && check.verdict === "warn" ? { ...check, verdict: "fail" } : check));

/**
 * Decides the outcome of a run. Exit codes by precedence: 70 suite error, 130 interrupted, 2 usage, 3 refused,
 * 1 not conformant, 5 waiver, 4 not fully verified, 0. The outcome is `conformant` only together with 0.
 */
export function decide(findings: Findings): Decision {
  const { problems, interrupted, environment } = findings;
  const problem = (kind: Problem["kind"]) => problems.flatMap((one) => (one.kind === kind ? [one.text] : []));
  const broken = findings.checks.filter(hasVerdict("suite-error"));
  const defects = [...problem("suite"), ...broken.map(({ id, message }) => `${id}: ${message}`)];
  // On a live host only the separation of environments is judged; those checks rest on the users' mandate.
  const isJudged = ({ basis }: CheckResult) => environment !== "live" || basis === "mandate";
  const judged = { ...findings, checks: findings.checks.filter(isJudged) };
  const failed = judged.checks.filter(hasVerdict("fail"));
  return firstWithReason<Outcome, number>(
    ["error", 70, defects.length > 0 && `the suite itself broke: ${first(defects)}`],
    ["interrupted", 130, interrupted && `the run was interrupted${notStarted(findings.checks)}`],
    ["refused", 2, first(problem("usage"))],
    ["refused", 3, first(problem("refused"))],
    ...(findings.baseline
      ? sinceBaseline(judged, findings.baseline, failed.length, problem("waiver"))
      : ([
          ["non-conformant", 1, failed.length > 0 && failure(failed)],
          ["not-fully-verified", 5, first(problem("waiver"))],
          ...withoutFailure(judged),
        ] as const)),
  );
}

type Ends = readonly Candidate<Outcome, number>[];

/**
 * The ends of a run that is compared with an earlier one: only new failures give 1. Known failures stay failures, so the
 * outcome is not better than without a baseline; only the exit code is.
 */
function sinceBaseline(
  findings: Findings,
  { newFailures, known, startedAt }: SinceBaseline,
  failed: number,
  waivers: readonly string[],
): Ends {
  const outcome = failed > 0 ? "non-conformant" : "not-fully-verified";
  const since = `since the baseline of ${startedAt.slice(0, 10)}`;
  const without = firstWithReason(...withoutFailure(findings));
  const wasOpen = without.exitCode === 4 && !findings.strict && findings.checks.some(isProven);
  const isDecided = !wasOpen && (failed === 0 || without.exitCode === 4);
  const rest =
    failed > 0 ? `${plural(known.length, "known failure")} left` : `as open as before (${without.because})`;
  const fresh = `${plural(newFailures.length, "new failure")} ${since}: ${first(newFailures)}`;
  return [
    [outcome, 1, newFailures.length > 0 && fresh],
    [outcome, 5, first(waivers)],
    [failed > 0 ? outcome : without.outcome, without.exitCode, isDecided && without.because],
    [outcome, 0, `no new failure ${since}; ${rest}`],
  ];
}

const isProven = ({ level, verdict }: CheckResult) => level === "MUST" && verdict === "pass";

/** The ends of a run without failures, by whether what it verified is enough. */
function withoutFailure({ checks, command, strict, selected, environment }: Findings): Ends {
  const passed = checks.filter(isProven).length;
  const isProving = selected ? checks.some(isDecisive) : passed > 0;
  const nothing = selected ? "no selected check reached a verdict" : "no MUST check passed";
  const open = checks.filter((check) => check.level === "MUST" && isOpen(check));
  const isTolerated = command === "gate" && !strict && open.every(needsOnlyData);
  const areOpen = open.length === 1 ? "is open" : "are open";
  const isOpenRun = open.length > 0 && !isTolerated;
  const rejected = checks.filter((check) => check.rejectedValidRequest).map(({ id }) => id);
  const waived = checks.filter(hasVerdict("waived")).map(({ id }) => id);
  const why = "because a variable is not set or a list is empty";
  return [
    ["not-fully-verified", 4, !isProving && `${nothing}, so nothing is proven`],
    [
      "not-fully-verified",
      4,
      [
        ...(isOpenRun ? [`${plural(open.length, "MUST check")} ${areOpen}: ${countsOf(open)}`] : []),
        ...(rejected.length > 0
          ? [`the API rejected a valid request, which leaves ${first(rejected)} open`]
          : []),
      ],
    ],
    ["not-fully-verified", 0, open.length > 0 && `no MUST check failed; ${open.length} ${areOpen} ${why}`],
    ["not-fully-verified", 0, waived.length > 0 && `every failure is waived: ${waived.join(", ")}`],
    ["not-fully-verified", 0, selected && "the selected checks passed; the others were not run"],
    ["conformant", 0, environment === "live" && "the live host rejects the test key"],
    ["conformant", 0, `every MUST check passed (${passed})`],
  ];
}

const isDecisive = ({ verdict }: CheckResult) => verdict !== "not-tested" && verdict !== "inconclusive";

function needsOnlyData({ verdict, reason, variables = [] }: CheckResult): boolean {
  if (verdict === "pass-weak") return variables.length > 0;
  return verdict === "not-tested" && (reason === "variable" || reason === "empty-list");
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

const first = ([text = "", ...others]: readonly string[]) =>
  others.length > 0 ? `${text} (and ${others.length} more)` : text;
