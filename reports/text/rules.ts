import { openItems } from "../../schemas/open-items.ts";
import { type RequirementId, requirements } from "../../schemas/requirements.ts";
import type { CheckInfo } from "../verdicts/verdict.ts";

/** A requirement in words: `R087 (section 4.16): A retry with the same transferReference ...`. */
export const requirementText = (id: RequirementId) =>
  `${id} (section ${requirements[id].section}): ${requirements[id].statement}`;

/** What a check rests on, one line for each requirement, open item or external norm. */
export function rulesOf({ requirements: ids, source }: Pick<CheckInfo, "requirements" | "source">): string[] {
  const norms = source?.split(/[,;] */).map((norm) => {
    if (norm in requirements) return requirementText(norm as RequirementId);
    const item = (openItems as Readonly<Record<string, string>>)[norm];
    return item ? `${norm}: the specification leaves open the ${item}` : norm;
  });
  return [...ids.map(requirementText), ...(norms ?? [])];
}

/** The first of {@link rulesOf}, and the ids of the others, for a message of one line. */
export function ruleOf(info: Pick<CheckInfo, "requirements" | "source">): string {
  const [first = "no rule", ...others] = rulesOf(info);
  const ids = others.map((rule) => rule.split(/[ :]/, 1)[0]).join(", ");
  return ids ? `${first.replace(/\.$/, "")}; also ${ids}` : first.replace(/\.$/, "");
}
