import { operations } from "../../schemas/contract.ts";
import { groupBy } from "../grouping.ts";
import { plural } from "../wording.ts";
import { groupInWords, isBlocked } from "./open.ts";
import type { Outcome } from "./outcome.ts";
import { requirementResults } from "./rules.ts";
import type { Verdicts } from "./run.ts";
import { type CheckResult, hasVerdict, isExcluded, isOpen, type Verdict } from "./verdict.ts";
import { capitalised, firstThree, shown } from "./words.ts";

/** Outcomes that exit code 0 does not contradict. */
const TOLERATED: Partial<Readonly<Record<Outcome, string>>> = {
  "non-conformant": "Not conformant, but no worse than the baseline",
  "not-fully-verified": "Passed, but not fully verified",
};

/** Says the outcome in a few words. A conformant run that does not cover everything says what it covers. */
export const headline = (file: Parameters<typeof coverage>[0] & Pick<Verdicts, "exitCode">): string =>
  `${outcomeOf(file)}${coverage(file)}`;

/** The outcome itself, for {@link headline}. */
export const outcomeOf = ({ outcome, exitCode }: Pick<Verdicts, "outcome" | "exitCode">): string =>
  (exitCode === 0 && TOLERATED[outcome]) || capitalised(shown[outcome].word);

/** What a conformant run covers if that is not everything, as the end of its {@link headline}. */
export function coverage({
  outcome,
  outOfScope,
  target,
}: Pick<Verdicts, "outcome" | "outOfScope" | "target">): string {
  if (outcome !== "conformant") return "";
  if (target.environment === "live") return " for environment separation only";
  const excluded = operations.filter(({ id }) => outOfScope.includes(id)).length;
  return excluded > 0 ? ` for ${operations.length - excluded} of ${operations.length} operations` : "";
}

/** Says in one sentence, without its full stop, what decided and what the operator declared out of scope. */
export function reasonOf({ because, outOfScope }: Pick<Verdicts, "because" | "outOfScope">): string {
  return outOfScope.length > 0 ? `${because}; out of scope: ${outOfScope.join(", ")}` : because;
}

/** Names the deployment as its operator does, with its version: `payments staging 2.4`. */
export const targetName = ({ target }: { readonly target: Target }): string =>
  [target.name, target.version].filter((part) => part !== undefined).join(" ") || target.baseUrl;

type Target = Pick<Verdicts["target"], "name" | "version" | "baseUrl">;

/** Says in one line what a check found, without the operation, which its id names, and without the rule and the body. */
export function findingOf({ actual, expected, message, verdict }: CheckResult): string {
  if (actual !== undefined && expected !== undefined) return `${actual}; expected ${expected}`;
  return message ?? verdict;
}

/** Says what the run did not decide; empty if it decided everything. */
export function leftOpen(checks: readonly CheckResult[]): string {
  const open = checks.filter(isOpen);
  return (["not-tested", "pass-weak", "inconclusive"] as const)
    .map((wanted) => ({ wanted, count: open.filter(hasVerdict(wanted)).length }))
    .filter(({ count }) => count > 0)
    .map(({ wanted, count }, index) => `${index > 0 ? count : plural(count, "check")} ${shown[wanted].word}`)
    .join(", ");
}

/**
 * Says how often the target failed in a run, and how fast the run sent:
 * `7 server errors and 2 requests without a response in 2,080 requests (46/s on average)`.
 */
export function trafficLine({
  traffic,
  startedAt,
  finishedAt,
}: Pick<Verdicts, "traffic" | "startedAt" | "finishedAt">): string | undefined {
  if (!traffic) return undefined;
  const { requests, serverErrors, timeouts } = traffic;
  const silent = timeouts > 0 ? ` and ${plural(timeouts, "request")} without a response` : "";
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  const rate = seconds > 0 ? ` (${Number((requests / seconds).toPrecision(2))}/s on average)` : "";
  return `${plural(serverErrors, "server error")}${silent} in ${plural(requests, "request")}${rate}`;
}

/** A number of checks that every overview shows. */
export interface Tally {
  readonly title: string;
  /** The title where there is little room. */
  readonly short: string;
  readonly counts: (check: CheckResult) => boolean;
  readonly verdict?: Verdict;
  /** It is left out where it is 0. */
  readonly isOptional?: true;
}

const of = (verdict: Verdict) => ({ verdict, counts: hasVerdict(verdict) });

const TALLIES: readonly Tally[] = [
  { title: "passed", short: "pass", ...of("pass") },
  { title: "failed", short: "fail", ...of("fail") },
  { title: "warnings", short: "warn", ...of("warn") },
  { title: "open", short: "open", counts: isOpen },
  { title: "waived", short: "waived", ...of("waived"), isOptional: true },
  { title: "suite errors", short: "error", ...of("suite-error"), isOptional: true },
  { title: "out of scope", short: "out of scope", counts: isExcluded, isOptional: true },
  { title: "observed", short: "observed", ...of("observed") },
];

/** The tallies that an overview of these checks has, in its order. */
export const talliesFor = (checks: readonly CheckResult[]): readonly Tally[] =>
  TALLIES.filter(({ counts, isOptional }) => !isOptional || checks.some(counts));

/** The tallies of an overview, and the checks of each operation in the order of the specification; `tested` leaves out those without checks. */
export function talliesByOperation(checks: readonly CheckResult[], tested: boolean) {
  const groups = groupBy(checks, ({ operation }) => operation);
  const rows = operations.map((operation) => ({ operation, own: groups.get(operation.id) ?? [] }));
  return { tallies: talliesFor(checks), rows: rows.filter(({ own }) => !tested || own.length > 0) };
}

/** The questions of those who decide about a release, each with its answer if it applies. */
export function answersOf(file: Verdicts): (readonly [question: string, answer: string | undefined])[] {
  const { checks, selected, target } = file;
  const excluded = checks.filter(isExcluded).length;
  return [
    ["Release", release(file)],
    ["Server errors", trafficLine(file)],
    ["Warnings", aboutWarnings(file)],
    ["Not proved", selected || target.environment === "live" ? undefined : aboutRequirements(checks)],
    ["Not tested", aboutVariables(checks)],
    ["Out of scope", excluded > 0 ? `${file.outOfScope.join(", ")} (${plural(excluded, "check")})` : ""],
  ];
}

function release({ outcome, exitCode }: Verdicts): string {
  if (outcome === "conformant") return "Nothing that this run tested blocks it.";
  if (exitCode === 0) return "This run does not block it, but does not prove conformance either.";
  if (outcome === "non-conformant") return "Blocked until every failure is fixed or waived.";
  if (outcome === "not-fully-verified") return "Not decided until what is open has been tested.";
  return "Not decided: the run did not reach its end.";
}

/** Whether warnings block a release, and which of them would under `--hardened`. */
export function aboutWarnings({ checks, hardened }: Pick<Verdicts, "checks" | "hardened">): string {
  const warned = checks.filter(hasVerdict("warn"));
  if (warned.length === 0) return "None.";
  const critical = warned.filter((check) => check.critical);
  const block = `${plural(warned.length, "warning")}, which ${warned.length === 1 ? "does" : "do"} not block a release`;
  if (hardened) return `${block}; --hardened has turned the critical ones into failures.`;
  if (critical.length === 0)
    return `${block}, nor would ${warned.length === 1 ? "it" : "they"} under --hardened.`;
  const named = firstThree(
    critical.map(({ id }) => id),
    ", ",
    andMore,
  );
  return `${block}. Under --hardened, ${critical.length} critical ${critical.length === 1 ? "one" : "ones"} would: ${named}.`;
}

function aboutRequirements(checks: readonly CheckResult[]): string {
  const results = requirementResults(checks);
  const unproved = results.filter((result) => result.unproved !== undefined);
  if (unproved.length === 0) return `All ${results.length} requirements were proved.`;
  const violated = unproved.filter(hasVerdict("fail")).length;
  const untestable = unproved.filter(({ testable }) => testable === "no").length;
  const parts = [
    ...(violated > 0 ? [`${violated} violated`] : []),
    ...(untestable > 0 ? [`${untestable} that no test over HTTP can prove`] : []),
  ];
  return `${unproved.length} of ${plural(results.length, "requirement")}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}: see Requirements, with the reason for each.`;
}

/** Which variables would make more checks run, the variable that most checks need first. */
function aboutVariables(checks: readonly CheckResult[]): string | undefined {
  const open = checks.filter((check) => isOpen(check) && !isBlocked(check) && check.variables?.length);
  if (open.length === 0) return undefined;
  const groups = [...groupBy(open, ({ variables = [] }) => variables.join(", "))]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([names, some]) => `${names}: ${groupInWords(some, { names: false })}`);
  return `${firstThree(groups, "; ", andMore)}.`;
}

const andMore = (count: number) => `and ${count} more`;
