import { type Requirement, requirements } from "../../schemas/requirements.ts";
import { groupBy } from "../text/grouping.ts";
import { type CheckResult, UNDECIDED, type Verdict } from "./verdict.ts";

/** What a run found about one requirement: `none` if no check of the run rests on it. */
export type RequirementVerdict = "fail" | "waived" | "open" | "warn" | "pass" | "observed" | "none";

export interface RequirementResult extends Requirement {
  readonly id: string;
  readonly verdict: RequirementVerdict;
  readonly checks: readonly CheckResult[];
}

/** The first verdict that occurs decides: a requirement is only as good as the worst of its MUST checks. */
const ORDER: readonly (readonly [RequirementVerdict, readonly Verdict[]])[] = [
  ["fail", ["fail"]],
  ["open", ["suite-error"]],
  ["waived", ["waived"]],
  ["open", UNDECIDED],
  ["warn", ["warn"]],
  ["pass", ["pass"]],
  ["observed", ["observed"]],
];

/** Judges every requirement of the specification by the checks of a run. */
export function requirementResults(checks: readonly CheckResult[]): RequirementResult[] {
  const pairs = checks.flatMap((check) => check.requirements.map((id: string) => ({ id, check })));
  const byRequirement = groupBy(pairs, ({ id }) => id);
  return Object.entries(requirements).map(([id, requirement]) => {
    const own = (byRequirement.get(id) ?? []).map(({ check }) => check);
    return { ...requirement, id, verdict: verdictOf(own), checks: own };
  });
}

/** Checks below MUST only count where no MUST check is left: they may say more, but cannot prove the requirement. */
function verdictOf(checks: readonly CheckResult[]): RequirementVerdict {
  const must = checks.filter(({ level }) => level === "MUST");
  const deciding = checks.some(({ verdict }) => verdict === "fail") || must.length === 0 ? checks : must;
  const found = new Set(deciding.map(({ verdict }) => verdict));
  return ORDER.find(([, verdicts]) => verdicts.some((verdict) => found.has(verdict)))?.[0] ?? "none";
}
