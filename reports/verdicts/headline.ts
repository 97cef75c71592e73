import { operations } from "../../schemas/contract.ts";
import { plural } from "../text/wording.ts";
import type { Outcome } from "./outcome.ts";
import type { Verdicts } from "./run.ts";
import { type CheckResult, isExcluded, isOpen, type Verdict, verdictWords } from "./verdict.ts";

type Scope = Pick<Verdicts, "outOfScope">;

const WORDS: Readonly<Record<Outcome, string>> = {
  conformant: "Conformant",
  "non-conformant": "Not conformant",
  "not-fully-verified": "Not fully verified",
  refused: "Refused",
  interrupted: "Interrupted",
  error: "Error",
};

/** Outcomes that exit code 0 does not contradict. */
const TOLERATED: Partial<Readonly<Record<Outcome, string>>> = {
  "non-conformant": "Not conformant, but no worse than the baseline",
  "not-fully-verified": "Passed, but not fully verified",
};

/** Says the outcome in a few words. A conformant run that does not cover everything says what it covers. */
export function headline({
  outcome,
  exitCode,
  outOfScope,
  target,
}: Scope & Pick<Verdicts, "outcome" | "exitCode" | "target">): string {
  if (outcome === "conformant" && target.environment === "live")
    return `${WORDS[outcome]} for environment separation only`;
  const excluded = operations.filter(({ id }) => outOfScope.includes(id)).length;
  if (outcome !== "conformant" || excluded === 0)
    return (exitCode === 0 && TOLERATED[outcome]) || WORDS[outcome];
  return `${WORDS[outcome]} for ${operations.length - excluded} of ${operations.length} operations`;
}

/** Says in one sentence, without its full stop, what decided and what the operator declared out of scope. */
export function reasonOf({ because, outOfScope }: Scope & Pick<Verdicts, "because">): string {
  return outOfScope.length > 0 ? `${because}; out of scope: ${outOfScope.join(", ")}` : because;
}

/** Names the deployment as its operator does, with its version: `payments staging 2.4`. */
export function targetName({ target }: Pick<Verdicts, "target">): string {
  const name = [target.name, target.version].filter((part) => part !== undefined).join(" ");
  return name || target.baseUrl;
}

/** Says in one line what a check found, without the operation, which its id names, and without the rule and the body. */
export function findingOf({ actual, expected, message, verdict }: CheckResult): string {
  if (actual !== undefined && expected !== undefined) return `${actual}; expected ${expected}`;
  return message ?? verdict;
}

/** Says what the run did not decide; empty if it decided everything. */
export function leftOpen(checks: readonly CheckResult[]): string {
  const count = (test: (check: CheckResult) => boolean) => checks.filter(test).length;
  const parts = [
    [count((check) => check.verdict === "not-tested" && isOpen(check)), verdictWords["not-tested"]],
    [count(({ verdict }) => verdict === "pass-weak"), verdictWords["pass-weak"]],
    [count(({ verdict }) => verdict === "inconclusive"), verdictWords.inconclusive],
  ] as const;
  const [first, ...others] = parts.filter(([number]) => number > 0);
  if (!first) return "";
  return [
    `${plural(first[0], "check")} ${first[1]}`,
    ...others.map(([number, word]) => `${number} ${word}`),
  ].join(", ");
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
interface Tally {
  readonly title: string;
  /** The title where there is little room. */
  readonly short: string;
  readonly counts: (check: CheckResult) => boolean;
  /** It is left out where it is 0. */
  readonly isOptional?: true;
}

const is = (verdict: Verdict) => (check: CheckResult) => check.verdict === verdict;

const TALLIES: readonly Tally[] = [
  { title: "passed", short: "pass", counts: is("pass") },
  { title: "failed", short: "fail", counts: is("fail") },
  { title: "warnings", short: "warn", counts: is("warn") },
  { title: "open", short: "open", counts: isOpen },
  { title: "waived", short: "waived", counts: is("waived"), isOptional: true },
  { title: "suite errors", short: "error", counts: is("suite-error"), isOptional: true },
  { title: "out of scope", short: "out of scope", counts: isExcluded, isOptional: true },
  { title: "observed", short: "observed", counts: is("observed") },
];

/** The tallies that an overview of these checks has, in its order. */
export const talliesFor = (checks: readonly CheckResult[]): readonly Tally[] =>
  TALLIES.filter(({ counts, isOptional }) => !isOptional || checks.some(counts));
