import type { Change, Defect } from "./operation.ts";

/** Says what a change makes of a valid request: `limit and page are missing`, `amount is "abc"`. */
export function describeChange({ path, query, body }: Change): string {
  const members = Object.entries({ ...path, ...query, ...body });
  const missing = members.filter(([, value]) => value === undefined).map(([name]) => name);
  const altered = members
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} is ${JSON.stringify(value)}`);
  const without =
    missing.length > 0 ? [`${listing(missing)} ${missing.length > 1 ? "are" : "is"} missing`] : [];
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

/** The title of a check that a request with a defect is rejected. */
export function rejectionTitle(noun: string, what: string): string {
  const [, missing] = /^(\w+(?:(?:, | and )\w+)*) (?:is|are) missing$/.exec(what) ?? [];
  return missing ? `refuses ${noun} without ${missing}` : `refuses ${noun} when ${what}`;
}

const listing = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
