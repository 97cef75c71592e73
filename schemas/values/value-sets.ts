import { z } from "zod";
import type { Operation } from "../operation.ts";
import { type Given, isGiven } from "../recipe.ts";
import { classesOf, type Inventor, invented } from "./value-classes.ts";

/** Values of some fields of one request. */
export interface ValueSet {
  /** What tells the set from the others of its operation. */
  readonly name: string;
  /** A member that is undefined leaves its field out. */
  readonly values: Readonly<Record<string, unknown>>;
  /** It fills a single one of several fields. */
  readonly isAlone: boolean;
  /** What is particular about the values, by field. */
  readonly words: Readonly<Record<string, string>>;
}

const ROUNDS = 3;

/**
 * The value sets of an operation: in rounds, all free fields with one class each; then each optional field alone. A
 * variable that is not set leaves its field out; `read` reads it.
 */
export function valueSets(
  { free = {}, body, ordinary, effect }: Operation,
  inventorOf: (set: string) => Inventor,
  read: (given: Given) => unknown,
): ValueSet[] {
  const fields = Object.entries(free);
  const make = (name: string, round: number, chosen: typeof fields): ValueSet => {
    const invent = inventorOf(name);
    const made = chosen.map(([field, kind]) => {
      const [what, value] = isGiven(kind) ? ["its usual value", read(kind)] : invented(kind, round, invent);
      return { field, what, value };
    });
    const used = made.filter(({ value }) => value !== undefined);
    return {
      name,
      isAlone: round < 0,
      values: Object.fromEntries(used.map(({ field, value }) => [field, value])),
      words: Object.fromEntries(used.map(({ field, what }) => [field, what])),
    };
  };
  const most = Math.max(0, ...fields.map(([, kind]) => (isGiven(kind) ? 1 : classesOf(kind))));
  const rounds = Array.from({ length: Math.min(most, ROUNDS) }, (_, round) =>
    make(`round ${round + 1}`, round, fields),
  );
  const isOptional = (field: string) => body?.shape[field] instanceof z.ZodOptional;
  const usual = Object.keys(Object.assign({}, ...[ordinary.body ?? {}].flat()));
  const alone = fields.filter(([field]) => isOptional(field) && !usual.includes(field));
  // If no field is required, nothing says which ones a valid request needs.
  const others = body?.safeParse({}).success ? [] : usual.filter(isOptional);
  const without = Object.fromEntries(others.map((field) => [field, undefined]));
  // But each text that it has may be left out once, together with one other change; a payment is not tried so.
  const texts =
    others.length > 0 || effect === "money" ? [] : usual.filter((field) => free[field] === "text");
  const single = alone.map((field, index) => {
    const set = make(`${field[0]} alone`, -1 - index, [field]);
    if (Object.keys(set.values).length === 0) return set;
    const text = texts[index];
    const omitted = text === undefined ? {} : { [text]: "left out" };
    const values = { ...without, ...(text !== undefined && { [text]: undefined }), ...set.values };
    return { ...set, values, words: { ...set.words, ...omitted } };
  });
  return [...rounds, ...(alone.length > 1 ? single : [])].filter(
    ({ values }) => Object.keys(values).length > 0,
  );
}
