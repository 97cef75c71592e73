import { type CheckResult, isExcluded, isOpen, type Verdict } from "./verdict.ts";

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
