import { type Requirement, requirements } from "../../schemas/requirements.ts";
import { groupBy } from "../grouping.ts";
import { plural } from "../wording.ts";
import { openReason } from "./open.ts";
import { type CheckResult, isExcluded, isOpen, type Verdict } from "./verdict.ts";

export interface RequirementResult extends Requirement {
  readonly id: string;
  readonly verdict: RequirementVerdict;
  readonly checks: readonly CheckResult[];
  /** Why the run did not prove it, in words. */
  readonly unproved?: string;
}

const is = (verdict: Verdict) => (check: CheckResult) => check.verdict === verdict;

/** The first verdict that occurs decides: a requirement is only as good as the worst of its MUST checks. */
const ORDER = [
  ["fail", is("fail")],
  ["open", is("suite-error")],
  ["waived", is("waived")],
  ["open", isOpen],
  ["excluded", isExcluded],
  ["warn", is("warn")],
  ["pass", is("pass")],
  ["observed", is("observed")],
] as const;

/** What a run found about one requirement: `none` if no check of the run rests on it. */
type RequirementVerdict = (typeof ORDER)[number][0] | "none";

/** Judges every requirement of the specification by the checks of a run. */
export function requirementResults(checks: readonly CheckResult[]): RequirementResult[] {
  const pairs = checks.flatMap((check) => check.requirements.map((id: string) => ({ id, check })));
  const byRequirement = groupBy(pairs, ({ id }) => id);
  return Object.entries(requirements).map(([id, requirement]) => {
    const own = (byRequirement.get(id) ?? []).map(({ check }) => check);
    const deciding = decidingOf(own);
    const verdict: RequirementVerdict = ORDER.find(([, holds]) => deciding.some(holds))?.[0] ?? "none";
    const result = { ...requirement, id, verdict, checks: own };
    return verdict === "pass" ? result : { ...result, unproved: whyUnproved(result, deciding) };
  });
}

/** Checks below MUST only count where no MUST check is left: they may say more, but cannot prove the requirement. */
function decidingOf(checks: readonly CheckResult[]): readonly CheckResult[] {
  const must = checks.filter(({ level }) => level === "MUST");
  return checks.some(is("fail")) || must.length === 0 ? checks : must;
}

/** Further reasons are only counted. */
const MOST_REASONS = 3;

function whyUnproved(
  { verdict, testable, reason }: Requirement & Pick<RequirementResult, "verdict">,
  deciding: readonly CheckResult[],
): string {
  const named = (some: readonly CheckResult[]) => listed(some.map(({ id }) => id));
  const passed = deciding.filter(is("pass")).length;
  const others = passed > 0 ? `; ${plural(passed, "other check")} passed` : "";
  switch (verdict) {
    case "fail":
      return `the API violates it: ${named(deciding.filter(is("fail")))}`;
    case "waived":
      return `its failure is waived: ${named(deciding.filter(is("waived")))}`;
    case "open":
      return (
        listed(deciding.filter((check) => isOpen(check) || is("suite-error")(check)).map(openReason), "; ") +
        others
      );
    case "excluded":
      return listed(deciding.filter(isExcluded).map(openReason)) + others;
    case "warn":
      return `only recommendations rest on it, and the API does not follow ${named(deciding.filter(is("warn")))}`;
    default:
      if (testable === "no" && reason) return reason;
      return verdict === "observed"
        ? "the run recorded what the API does, without judging it"
        : "no check of this run rests on it";
  }
}

/** The different ones of some texts, cut after the first few. */
function listed(texts: readonly string[], separator = ", "): string {
  const different = [...new Set(texts)];
  const rest = different.length - MOST_REASONS;
  return [...different.slice(0, MOST_REASONS), ...(rest > 0 ? [`${rest} more`] : [])].join(separator);
}
