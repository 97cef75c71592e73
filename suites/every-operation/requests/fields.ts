import { type CheckOptions, consentToLenience } from "../../../fixtures/engine/vocabulary.ts";
import { rejectionTitle } from "../../../schemas/changes.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { type FieldProbe, isLenient } from "../../../schemas/probes.ts";

/** How hard the handling of a wrong field is judged. */
export function optionsOf(id: OperationId, probe: FieldProbe): CheckOptions {
  const { level, requirements, defects } = probe;
  const consent = isLenient(probe) ? consentToLenience(id, defects.length) : {};
  if (level === "MUST") return { must: requirements };
  return level === "SHOULD" ? { should: requirements, ...consent } : { observe: "N18", ...consent };
}

/** What the check of a wrong field says. */
export function titleOf(noun: string, { field, kind, level, defects }: FieldProbe): string {
  if (level === "OBSERVE") return `handling of ${noun} when ${defects[0]?.what}`;
  const [first] = defects;
  if (first && defects.length === 1) return rejectionTitle(noun, first.what);
  if (kind === "nobody") return `refuses ${noun} when ${field} is 0, false or empty, and so names nothing`;
  return `refuses ${noun} when ${field} has the wrong type${kind === "type" ? "" : ", even one that could be converted"}`;
}
