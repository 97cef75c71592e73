import { contract } from "../../schemas/contract.ts";
import { openItems } from "../../schemas/open-items.ts";
import { type Requirement, requirements } from "../../schemas/requirements.ts";
import { groupBy } from "../grouping.ts";
import { cut, plural, present } from "../wording.ts";
import { openReason } from "./open.ts";
import {
  type CheckInfo,
  type CheckResult,
  type Counted,
  hasVerdict,
  isCriticalFinding,
  isExcluded,
  isOpen,
  stateOf,
  worstOf,
} from "./verdict.ts";

type Basis = Pick<CheckInfo, "operation" | "requirements" | "source">;

interface Rule {
  readonly name: string;
  /** Where the rule comes from, if its name does not say so. */
  readonly origin?: string;
  readonly statement?: string;
}

const statements: Readonly<Record<string, Requirement>> = requirements;
const openings: Readonly<Record<string, string>> = openItems;

/** External norms by the name that a check gives as its source. */
const NORMS: Readonly<Record<string, Rule>> = {
  "OWASP API1": { name: "OWASP API1:2023", statement: "Broken Object Level Authorization" },
  "OWASP API3": { name: "OWASP API3:2023", statement: "Broken Object Property Level Authorization" },
  "OWASP API8": { name: "OWASP API8:2023", statement: "Security Misconfiguration" },
  "PCI 3.4": { name: "PCI DSS 3.4", statement: "Access to displays of full card numbers is restricted." },
  "PCI 3.4.1": { name: "PCI DSS 3.4.1", statement: "A card number is masked when it is displayed." },
  "RFC 8259": { name: "RFC 8259", statement: "JSON" },
  "RFC 9110": { name: "RFC 9110", statement: "HTTP Semantics" },
  "RFC 9111": { name: "RFC 9111", statement: "HTTP Caching" },
  "RFC 9112": { name: "RFC 9112", statement: "HTTP/1.1" },
  mandate: { name: "the mandate of the suite's users", origin: "not in the specification" },
  practice: { name: "good practice", origin: "not in the specification" },
};

/**
 * Says what a check rests on, one line for each rule, those of the operation's own section first:
 * `R054 (section 4.8): GET transfer/get-transfer-list ...`.
 */
export const rulesOf = (basis: Basis): string[] =>
  rules(basis).map(({ name, origin, statement }) =>
    present(origin ? `${name} (${origin})` : name, statement).join(": "),
  );

/** Says in one line what a check rests on: its first rule in words, and the names of the others. */
export function ruleOf(basis: Basis): string {
  const [first = { name: "no rule" }, ...others] = rules(basis);
  const named = first.origin ? `${first.name}, ${first.origin}` : first.name;
  const inWords = first.statement ? `${named}: ${first.statement.replace(/\.$/, "")}` : named;
  return others.length > 0 ? `${inWords}; also ${others.map(({ name }) => name).join(", ")}` : inWords;
}

function rules({ operation, requirements: ids, source }: Basis): Rule[] {
  const isOwn = (id: string) => statements[id]?.section.split(/, */).includes(contract[operation].section);
  const own = ids.filter(isOwn);
  const others = ids.filter((id) => !isOwn(id));
  return [...own, ...others, ...sourcesOf({ source })].map(ruleNamed);
}

/** The names of the norms or open items that a check gives as its source. */
export const sourcesOf = ({ source }: { readonly source?: string | undefined }): string[] =>
  source?.split(/[,;] */) ?? [];

function ruleNamed(name: string): Rule {
  const requirement = statements[name];
  if (requirement) return { name, origin: sectionsOf(requirement.section), statement: requirement.statement };
  const open = openings[name];
  if (open) return { name, origin: "left open by the specification", statement: open };
  return NORMS[name] ?? { name };
}

const sectionsOf = (sections: string): string =>
  sections.includes(",") ? `sections ${sections.replaceAll(", ", " and ")}` : `section ${sections}`;

export interface RequirementResult extends Requirement {
  readonly id: string;
  readonly verdict: RequirementVerdict;
  readonly checks: readonly CheckResult[];
  /** Why the run did not prove it, in words. */
  readonly unproved?: string;
}

/** What a run found about one requirement: `none` if no check of the run rests on it. */
type RequirementVerdict = Exclude<Counted, "suite-error"> | "none";

/** Judges every requirement of the specification by the checks of a run. */
export function requirementResults(checks: readonly CheckResult[]): RequirementResult[] {
  const pairs = checks.flatMap((check) => check.requirements.map((id: string) => ({ id, check })));
  const byRequirement = groupBy(pairs, ({ id }) => id);
  return Object.entries(requirements).map(([id, requirement]) => {
    const own = (byRequirement.get(id) ?? []).map(({ check }) => check);
    const must = own.filter(({ level }) => level === "MUST");
    // Other checks only count where no MUST check is left: they may say more, but cannot prove the requirement. A critical
    // finding is no violation of it, but nobody should rely on it either.
    const deciding =
      must.length === 0 ? own : own.filter((one) => must.includes(one) || isCriticalFinding(one));
    // A requirement is only as good as the worst of its MUST checks.
    const worst = worstOf(deciding) ?? "none";
    const verdict: RequirementVerdict = worst === "suite-error" ? "open" : worst;
    const result = { ...requirement, id, verdict, checks: own };
    return verdict === "pass" ? result : { ...result, unproved: whyUnproved(requirement, verdict, deciding) };
  });
}

function whyUnproved(
  { testable, reason }: Requirement,
  verdict: RequirementVerdict,
  deciding: readonly CheckResult[],
): string {
  const named = listed(deciding.flatMap((check) => (stateOf(check) === verdict ? [check.id] : [])));
  const open = deciding.filter((check) => isOpen(check) || hasVerdict("suite-error")(check)).map(openReason);
  const passed = deciding.filter(hasVerdict("pass")).length;
  const others = passed > 0 ? `; ${plural(passed, "other check")} passed` : "";
  if (verdict === "fail") return `the API violates it: ${named}`;
  if (verdict === "critical")
    return `no MUST check failed, but there is a critical finding: ${named}${others}`;
  if (verdict === "waived") return `its failure is waived: ${named}`;
  if (verdict === "open") return listed(open, "; ") + others;
  if (verdict === "excluded") return listed(deciding.filter(isExcluded).map(openReason)) + others;
  if (verdict === "warn") return `only recommendations rest on it, and the API does not follow ${named}`;
  if (testable === "no" && reason) return reason;
  return verdict === "observed"
    ? "the run recorded what the API does, without judging it"
    : "no check of this run rests on it";
}

const listed = (texts: readonly string[], separator = ", "): string =>
  cut([...new Set(texts)], 3).join(separator);
