import { operations } from "../../schemas/contract.ts";
import { groupBy } from "../grouping.ts";
import {
  capitalised,
  cut,
  duration,
  plural,
  present,
  type Row,
  rowsOf,
  type State,
  shorten,
  shown,
  time,
} from "../wording.ts";
import { actualOf, alike, findingsIn } from "./findings.ts";
import { groupInWords, openGroups } from "./open.ts";
import { criticalFindings } from "./outcome.ts";
import { requirementResults } from "./rules.ts";
import type { Verdicts } from "./verdict.ts";
import {
  type CheckResult,
  type Counted,
  counted,
  hasVerdict,
  isCriticalFinding,
  isExcluded,
  isOpen,
  isPlainWarning,
  worstOf,
} from "./verdict.ts";

/**
 * Says the outcome in a few words. A conformant run that does not cover everything says what it covers, and where critical
 * findings alone block a release, a run that proved the rest says that too.
 */
export function headline(file: Verdicts): string {
  const { outcome, exitCode, outOfScope, target, letter, selected, checks } = file;
  const words = capitalised(shown[outcome].word);
  if (outcome === "not-fully-verified" && exitCode === 0) return "Passed, but not fully verified";
  if (outcome === "not-fit-for-release") {
    const isProven = !selected && checks.every(keepsTheLetter);
    return isProven ? "Conformant to the letter, not fit for release" : words;
  }
  if (outcome !== "conformant") return words;
  if (letter) {
    const { length } = checks.filter(isCriticalFinding);
    const but = length > 0 ? `, with ${criticalFindings(length)}` : "";
    return `${words} to the letter${coverage(outOfScope)}${but}`;
  }
  if (target.environment === "live") return `${words} for environment separation only`;
  return words + coverage(outOfScope);
}

function coverage(outOfScope: readonly string[]): string {
  const excluded = operations.filter(({ id }) => outOfScope.includes(id)).length;
  const { length } = operations;
  return excluded > 0 ? ` for ${length - excluded} of ${length} operations` : "";
}

/** Whether a check leaves nothing open that a certificate needs, apart from critical findings. */
const keepsTheLetter = (check: CheckResult) =>
  check.level !== "MUST" || isCriticalFinding(check) || !(isOpen(check) || check.verdict === "waived");

/** Says in one sentence, without its full stop, what decided and what the operator declared out of scope. */
export function reasonOf({ because, outOfScope }: Verdicts): string {
  return outOfScope.length > 0 ? `${because}; out of scope: ${outOfScope.join(", ")}` : because;
}

/** Names the deployment as its operator does, with its version: `payments staging 2.4`. */
export const targetName = ({ target }: { readonly target: Target }): string =>
  present(target.name, target.version).join(" ") || target.baseUrl;

type Target = Pick<Verdicts["target"], "name" | "version" | "baseUrl">;

/** Says what went wrong in a run other than findings. */
export const problemsOf = ({ problems, checks }: Verdicts): string[] => [
  ...problems,
  ...checks
    .filter(hasVerdict("suite-error"))
    .map(({ id, message = "the suite broke" }) => `${id}: ${message}`),
];

/**
 * Says how often the target failed in a run, and how fast the run sent:
 * `7 server errors and 2 requests without a response in 2,080 requests (46/s on average)`.
 */
export function trafficLine({ traffic, startedAt, finishedAt }: Verdicts): string | undefined {
  if (!traffic) return undefined;
  const { requests, serverErrors, timeouts } = traffic;
  const silent = timeouts > 0 ? ` and ${plural(timeouts, "request")} without a response` : "";
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  const rate = seconds > 0 ? ` (${Number((requests / seconds).toPrecision(2))}/s on average)` : "";
  return `${plural(serverErrors, "server error")}${silent} in ${plural(requests, "request")}${rate}`;
}

/** They are left out of an overview where they are 0. */
const OPTIONAL: readonly Counted[] = ["waived", "suite-error", "excluded"];

/** The states that an overview of these checks counts, each with its count. */
export const countsIn = (checks: readonly CheckResult[]) =>
  counted(checks).filter(({ state, count }) => count > 0 || !OPTIONAL.includes(state));

/** The tested operations in the order of the specification, each with the counts of its checks by the states in `states`. */
export function operationTable(checks: readonly CheckResult[]) {
  const states = countsIn(checks).map(({ state }) => state);
  const groups = groupBy(checks, ({ operation }) => operation);
  const rows = operations.flatMap((operation) => {
    const own = groups.get(operation.id);
    if (!own) return [];
    const all = counted(own);
    const counts = states.map((state) => all.find((one) => one.state === state)?.count ?? 0);
    return [{ operation, state: operationState(own), counts }];
  });
  return { states, rows };
}

/** The verdict on an operation, from its MUST checks and whatever the others found. */
function operationState(checks: readonly CheckResult[]): State {
  const inScope = checks.filter((check) => !isExcluded(check));
  if (inScope.length === 0) return "excluded";
  const state = worstOf(inScope.filter((check) => check.level === "MUST" || !isOpen(check)));
  return state === undefined || state === "observed" ? "none" : state;
}

/** What was tested, with which version of the suite, when and how. */
export function factsOf(file: Verdicts): Row[] {
  const { target, suite, letter, strict, selected } = file;
  const isLive = target.environment === "live";
  return rowsOf([
    ["Target", target.embedded ? "embedded sandbox" : targetName(file)],
    ["Base URL", target.baseUrl],
    ["Environment", isLive ? "live (environment separation only)" : target.environment],
    ["Tested", `${time(file.startedAt)}, for ${duration(file)}`],
    ["Suite", `payments-conformance ${suite.version}, commit ${suite.commit}`],
    ["Seed", `${file.seed}`],
    ["Command", file.command],
    [
      "Modes",
      present(
        selected && "some of the checks (--select)",
        letter && "by the letter of the specification alone (--letter)",
        strict && "strict",
      ).join(", "),
    ],
    ["Exit code", `${file.exitCode}`],
  ]);
}

/** The questions of those who decide about a release, each with its answer. */
export function answersOf(file: Verdicts): Row[] {
  const { checks, outOfScope, selected, target } = file;
  const excluded = checks.filter(isExcluded).length;
  const { failed, critical } = findingsIn(checks);
  const open = openGroups(checks).map(([reason, some]) => `${reason}: ${groupInWords(some)}`);
  return rowsOf([
    ["Failures", ...inWords(failed)],
    critical.length > 0
      ? ["Critical findings", ...inWords(critical), aboutCritical(file)]
      : ["Critical findings", checks.length > 0 && "None."],
    ["Server errors", trafficLine(file)],
    ["Warnings", aboutWarnings(checks)],
    ["Not proved", !selected && target.environment !== "live" && aboutRequirements(checks)],
    ["Not tested", open.length > 0 && `${cut(open, 3, andMore).join("; ")}.`],
    ["Out of scope", excluded > 0 && `${outOfScope.join(", ")} (${plural(excluded, "check")})`],
  ]);
}

/** What a critical finding is, for readers who have never seen one. */
const CRITICAL =
  "A critical finding breaks no sentence of the specification, but is reason enough to stop a release: money moved wrongly, a secret or somebody else's data shown, an accepted write lost or changed, or a crash";

/** What the critical findings of a run are, and whether they block a release. */
export function aboutCritical({ letter }: Pick<Verdicts, "letter">): string {
  const block = letter
    ? "They do not count, because the run was judged by the letter (--letter)"
    : "Each blocks a release until it is fixed or waived";
  return `${CRITICAL}. ${block}.`;
}

/** The first of some findings, in words for readers who know no check by its id. */
const inWords = (checks: readonly CheckResult[]): string[] =>
  cut(
    checks.map((check) => shorten(`${check.operation}: ${actualOf(check)}`, LONGEST)),
    3,
    andMore,
  );

const LONGEST = 240;

/** Whether warnings block a release. */
export function aboutWarnings(checks: readonly CheckResult[]): string {
  const warned = checks.filter(isPlainWarning);
  const { length } = warned;
  if (length === 0) return "None.";
  const different = alike(warned).length;
  return `${plural(length, "warning")}${different < length ? ` of ${plural(different, "kind")}` : ""}, which ${length === 1 ? "does" : "do"} not block a release.`;
}

function aboutRequirements(checks: readonly CheckResult[]): string {
  const results = requirementResults(checks);
  const unproved = results.filter((result) => result.unproved !== undefined);
  if (unproved.length === 0) return `All ${results.length} requirements were proved.`;
  const untestable = unproved.filter(({ testable }) => testable === "no").length;
  const part = untestable > 0 ? ` (${untestable} that no test over HTTP can prove)` : "";
  return `${unproved.length} of ${plural(results.length, "requirement")}${part}: see Requirements, with the reason for each.`;
}

const andMore = (count: number) => `and ${count} more`;
