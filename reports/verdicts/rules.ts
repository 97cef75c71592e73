import { contract } from "../../schemas/contract.ts";
import { openItems } from "../../schemas/open-items.ts";
import { requirements } from "../../schemas/requirements.ts";
import type { CheckInfo } from "./verdict.ts";

type Basis = Pick<CheckInfo, "operation" | "requirements" | "source">;

interface Rule {
  readonly name: string;
  /** Where the rule comes from, if its name does not say so. */
  readonly origin?: string;
  readonly statement?: string;
}

const statements: Readonly<Record<string, { readonly section: string; readonly statement: string }>> =
  requirements;
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
    [origin ? `${name} (${origin})` : name, ...(statement ? [statement] : [])].join(": "),
  );

/** Says in one line what a check rests on: its first rule in words, and the names of the others. */
export function ruleOf(basis: Basis): string {
  const [first = { name: "no rule" }, ...others] = rules(basis);
  const named = first.origin ? `${first.name}, ${first.origin}` : first.name;
  const inWords = first.statement ? `${named}: ${first.statement.replace(/\.$/, "")}` : named;
  return others.length > 0 ? `${inWords}; also ${others.map(({ name }) => name).join(", ")}` : inWords;
}

/** What leads to a rule in a report. Only a MUST check requires what its rules say. */
export const leadToRules = ({ level }: Pick<CheckInfo, "level">): string =>
  level === "MUST" ? "required by" : "based on";

function rules({ operation, requirements: ids, source }: Basis): Rule[] {
  const isOwn = (id: string) => statements[id]?.section.split(/, */).includes(contract[operation].section);
  const own = ids.filter(isOwn);
  const others = ids.filter((id) => !isOwn(id));
  return [...own, ...others, ...sourcesOf({ source })].map(ruleNamed);
}

/** The names of the norms or open items that a check gives as its source. */
export const sourcesOf = ({ source }: { readonly source?: string | undefined }): string[] =>
  source?.split(/[,;] */) ?? [];

/** Finds the rule with a name: a requirement, an open item or a norm. */
export function ruleNamed(name: string): Rule {
  const requirement = statements[name];
  if (requirement) return { name, origin: sectionsOf(requirement.section), statement: requirement.statement };
  const open = openings[name];
  if (open) return { name, origin: "left open by the specification", statement: open };
  return NORMS[name] ?? { name };
}

const sectionsOf = (sections: string): string =>
  sections.includes(",") ? `sections ${sections.replaceAll(", ", " and ")}` : `section ${sections}`;
