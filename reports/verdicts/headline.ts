import { operations } from "../../schemas/contract.ts";
import { groupBy } from "../grouping.ts";
import { plural } from "../wording.ts";
import type { Outcome } from "./outcome.ts";
import type { Verdicts } from "./run.ts";
import { type CheckResult, isExcluded, isOpen, type Verdict } from "./verdict.ts";
import { capitalised, shown } from "./words.ts";

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
    .map((wanted) => ({ wanted, count: open.filter(({ verdict }) => verdict === wanted).length }))
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

const of = (verdict: Verdict) => ({
  verdict,
  counts: (check: CheckResult) => check.verdict === verdict,
});

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
