import { z } from "zod";
import { countsOf, plural, present } from "../wording.ts";
import type { CheckResult, RunStarted } from "./verdict.ts";
import { hasVerdict, isCriticalFinding, isMustFailure, isOpen } from "./verdict.ts";

export type Command = RunStarted["command"];

/**
 * Something other than a check that decides the run: a fault of the suite, bad input, a refusal to start, a waiver, or that
 * nothing more could be sent.
 */
export const Problem = z.object({
  kind: z.enum(["suite", "usage", "refused", "waiver", "unreachable"]),
  text: z.string(),
});
export type Problem = z.infer<typeof Problem>;

interface Findings extends Pick<RunStarted, "command" | "strict" | "selected" | "target"> {
  readonly checks: readonly CheckResult[];
  readonly problems: readonly Problem[];
  readonly interrupted: boolean;
}

export type Outcome =
  | "conformant"
  | "non-conformant"
  /** No MUST check failed, but there are critical findings. */
  | "not-fit-for-release"
  | "not-fully-verified"
  | "refused"
  | "interrupted"
  | "error";

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

/**
 * Decides the outcome of a run. Exit codes by precedence: 70 suite error, 130 interrupted, 2 usage, 3 refused,
 * 1 not conformant or not fit for release, 5 waiver, 4 not fully verified, 0. The outcome is `conformant` only together with 0.
 */
export function decide(run: Findings): Decision {
  const { problems, interrupted, target, checks } = run;
  const problem = (kind: Problem["kind"]) => problems.flatMap((one) => (one.kind === kind ? [one.text] : []));
  const broken = checks.filter(hasVerdict("suite-error"));
  const defects = [...problem("suite"), ...broken.map(({ id, message }) => `${id}: ${message}`)];
  const unstarted = checks.filter(({ reason }) => reason === "interrupted").length;
  const left = unstarted > 0 ? `; ${plural(unstarted, "check")} did not start` : "";
  // On a live host only the separation of environments is judged; those checks rest on the users' mandate.
  const judged = checks.filter(({ basis }) => target.environment !== "live" || basis === "mandate");
  const must = judged.filter(isMustFailure).length;
  const critical = judged.filter(hasVerdict("fail")).length - must;
  const rest = withoutFailure({ ...run, checks: judged });
  return firstWithReason<Outcome, number>(
    ["error", 70, defects.length > 0 && `the suite itself broke: ${first(defects)}`],
    ["interrupted", 130, interrupted && `the run was interrupted${left}`],
    ["refused", 2, first(problem("usage"))],
    ["refused", 3, first(problem("refused"))],
    ["non-conformant", 1, must > 0 && failure(must, critical)],
    [
      "not-fit-for-release",
      1,
      critical > 0 && `${criticalFindings(critical)}; ${firstWithReason(...rest).because}`,
    ],
    ["not-fully-verified", 4, first(problem("unreachable"))],
    ["not-fully-verified", 5, first(problem("waiver"))],
    ...rest,
  );
}

const isProven = ({ level, verdict }: CheckResult) => level === "MUST" && verdict === "pass";

/** The ends of a run without failures, by whether what it verified is enough. */
function withoutFailure({
  checks,
  command,
  strict,
  selected,
  target,
}: Findings): Candidate<Outcome, number>[] {
  const passed = checks.filter(isProven).length;
  const isProving = selected ? checks.some(isDecisive) : passed > 0;
  const nothing = selected ? "no selected check reached a verdict" : "no MUST check passed";
  const open = checks.filter((check) => check.level === "MUST" && isOpen(check));
  const isTolerated = command === "gate" && !strict && open.every(needsOnlyData);
  const are = open.length === 1 ? "is" : "are";
  const rejected = checks.filter((check) => check.rejectedValidRequest).map(({ id }) => id);
  const waived = checks.filter(hasVerdict("waived")).map(({ id }) => id);
  const isOpenRun = open.length > 0 && !isTolerated;
  const reasons = present(
    isOpenRun && `${plural(open.length, "MUST check")} ${are} open: ${countsOf(open)}`,
    rejected.length > 0 && `the API rejected a valid request, which leaves ${first(rejected)} open`,
  );
  const [every, chosen] = checks.some(isCriticalFinding)
    ? ["every other", "no selected MUST check failed"]
    : ["every", "the selected checks passed"];
  const tolerated = `no MUST check failed; ${open.length} ${are} open because a variable is not set or a list is empty`;
  return [
    ["not-fully-verified", 4, !isProving && `${nothing}, so nothing is proven`],
    ["not-fully-verified", 4, reasons],
    ["not-fully-verified", 0, open.length > 0 && tolerated],
    ["not-fully-verified", 0, waived.length > 0 && `${every} failure is waived: ${waived.join(", ")}`],
    ["not-fully-verified", 0, selected && `${chosen}; the others were not run`],
    ["conformant", 0, target.environment === "live" && "the live host rejects the test key"],
    ["conformant", 0, conformance(checks)],
  ];
}

/** Says that nothing but critical findings speaks against the deployment, and what became of those. */
function conformance(checks: readonly CheckResult[]): string {
  const passed = checks.filter(isProven).length;
  const critical = checks.filter(isCriticalFinding);
  const doubtful = critical.filter(({ level }) => level === "MUST").length;
  const uncounted = critical.filter(hasVerdict("warn")).length;
  const have = doubtful === 1 ? "has" : "have";
  return present(
    doubtful > 0
      ? `no MUST check failed (${passed} passed, ${doubtful} ${have} a critical finding)`
      : `every MUST check passed (${passed})`,
    uncounted > 0 && `${criticalFindings(uncounted)} did not count (--letter)`,
  ).join("; ");
}

const isDecisive = ({ verdict }: CheckResult) => verdict !== "not-tested" && verdict !== "inconclusive";

const needsOnlyData = ({ verdict, reason, variables = [] }: CheckResult) =>
  verdict === "pass-weak"
    ? variables.length > 0
    : verdict === "not-tested" && (reason === "variable" || reason === "empty-list");

const failure = (must: number, critical: number) =>
  present(`${plural(must, "MUST check")} failed`, critical > 0 && criticalFindings(critical)).join(
    "; in addition, ",
  );

/** Says how many critical findings there are. */
export const criticalFindings = (count: number) => plural(count, "critical finding");

const first = ([text = "", ...others]: readonly string[]) =>
  others.length > 0 ? `${text} (and ${others.length} more)` : text;
