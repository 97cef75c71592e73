import { operations } from "../../schemas/contract.ts";
import { plural } from "../text/wording.ts";
import type { Outcome } from "./outcome.ts";
import type { Verdicts } from "./run.ts";
import { type CheckResult, isExcluded, verdictWords } from "./verdict.ts";

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
    [count((check) => check.verdict === "not-tested" && !isExcluded(check)), verdictWords["not-tested"]],
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
