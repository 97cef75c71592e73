import { z } from "zod";
import type { Operation } from "./operation.ts";
import { type Given, isGiven } from "./recipe.ts";
import { CLASSES, type Inventor, type ValueClass } from "./value-classes.ts";

/** A kind of valid values that the suite may choose freely. */
export type FreeKind = keyof typeof CLASSES;

/** The fields of an operation that the suite may fill freely, each with its kind; a variable may also name the value. */
export type FreeFields = Readonly<Record<string, FreeKind | Given>>;

/** A value of a field in place of its ordinary one. */
export interface FieldChoice {
  readonly field: string;
  /** What is particular about the value: "two decimals". */
  readonly what: string;
  readonly value: unknown;
  readonly kind?: FreeKind;
  readonly day?: string;
  /** Ordinary values on either side of it: a rule about a range that allows both allows the value too. */
  readonly around: readonly unknown[];
}

/**
 * What a request may have in each of its free fields in place of the ordinary value: a value of every class of its kind or,
 * where the field is optional and the ordinary request has it, nothing. A variable that is not set leaves its field as it
 * is; `read` reads it.
 */
export function fieldChoices(
  { free = {}, body, ordinary, effect }: Operation,
  inventorOf: (field: string) => Inventor,
  read: (given: Given) => unknown,
): FieldChoice[][] {
  const usual = Object.keys(Object.assign({}, ...[ordinary.body ?? {}].flat()));
  // If no field is required, nothing says which ones a valid request needs, but a text is hardly one of them.
  const namesNeeds = body?.safeParse({}).success === false;
  const mayBeLeftOut = (field: string) =>
    body?.shape[field] instanceof z.ZodOptional &&
    usual.includes(field) &&
    effect !== "money" &&
    (namesNeeds || free[field] === "text");
  const fields = [...new Set([...Object.keys(free), ...usual.filter(mayBeLeftOut)])];
  return fields
    .map((field) => [
      ...valuesOf(field, free[field], inventorOf(field), read),
      ...(mayBeLeftOut(field) ? [{ field, what: "left out", value: undefined, around: [] }] : []),
    ])
    .filter((choices) => choices.length > 0);
}

function valuesOf(
  field: string,
  kind: FreeKind | Given | undefined,
  invent: Inventor,
  read: (given: Given) => unknown,
): FieldChoice[] {
  if (kind === undefined) return [];
  if (!isGiven(kind))
    return CLASSES[kind].map(([what, make, around, day]: ValueClass) => ({
      ...{ field, what, kind, value: make(invent), around: around?.(invent) ?? [] },
      ...(day && { day }),
    }));
  const value = read(kind);
  return value === undefined ? [] : [{ field, what: "its usual value", value, around: [] }];
}

/** Whether two choices may be in one request: a period ends after it begins. */
export const fitTogether = (one: FieldChoice, other: FieldChoice): boolean =>
  one.kind !== "date" || other.kind !== "laterDate" || String(one.day) <= String(other.day);
