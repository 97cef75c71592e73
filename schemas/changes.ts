import type { BoundCondition, Change, Defect } from "./operation.ts";
import type { RequirementId } from "./requirements.ts";

const LIST = new Intl.ListFormat("en-GB");

/** Says what a change makes of a valid request: `limit and page are missing`, `amount is "abc"`. */
function describeChange({ path, query, body }: Change): string {
  const members = Object.entries({ ...path, ...query, ...body });
  const missing = members.flatMap(([name, value]) => (value === undefined ? [name] : []));
  const altered = members.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} is ${JSON.stringify(value)}`],
  );
  const verb = missing.length > 1 ? "are" : "is";
  const without = missing.length > 0 ? [`${LIST.format(missing)} ${verb} missing`] : [];
  return [...without, ...altered].join(", and ");
}

/** Makes the defect that a field of the body has this value, or is missing if that is `undefined`. */
export function fieldDefect(
  field: string,
  value: unknown,
  what = describeChange({ body: { [field]: value } }),
): Defect & { readonly field: string } {
  return { change: { body: { [field]: value } }, what, field };
}

/** Makes a defect that its change alone describes. */
export const defectOf = (change: Change): Defect => ({ change, what: describeChange(change) });

/** Makes a bound condition that its change alone describes. */
export const condition = (
  id: string,
  change: Change,
  status: number,
  requirements: readonly RequirementId[],
): BoundCondition => ({ id, ...defectOf(change), status, requirements });

/** The title of a check that a request with a defect is rejected. */
export function rejectionTitle(noun: string, what: string): string {
  const [, missing] = /^(\w+(?:(?:, | and )\w+)*) (?:is|are) missing$/.exec(what) ?? [];
  return missing ? `refuses ${noun} without ${missing}` : `refuses ${noun} when ${what}`;
}
