import type { z } from "zod";

const VALUES = {
  null: null,
  boolean: true,
  number: 7,
  string: "text",
  array: [],
  object: {},
  NaN: Number.NaN,
} as const;

export type Kind = keyof typeof VALUES;

/** A body with one defect: a member is missing, or the value at the dotted `path` has another type. */
interface Mutation {
  readonly path: string;
  readonly kind: Kind | "missing";
  readonly body: unknown;
}

/** The variants of a sample that a schema accepts although they are not allowed, or the other way round. */
export const misjudged = (schema: z.ZodType, sample: object, isAllowed: (mutation: Mutation) => boolean) =>
  [...mutations(sample)]
    .filter((mutation) => schema.safeParse(mutation.body).success !== isAllowed(mutation))
    .map(({ path, kind }) => `${path} ${kind}`);

/** Yields every variant of a sample body with one defect. */
function* mutations(sample: unknown, path = ""): Generator<Mutation> {
  const own = kindOf(sample);
  for (const [kind, body] of Object.entries(VALUES))
    if (kind !== own) yield { path, kind: kind as Kind, body };
  if (own !== "object" && own !== "array") return;
  for (const [key, member] of Object.entries(sample as object)) {
    const at = path ? `${path}.${key}` : key;
    yield { path: at, kind: "missing", body: changed(sample, key) };
    for (const inner of mutations(member, at)) yield { ...inner, body: changed(sample, key, inner) };
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value instanceof File) return "file";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A copy with another member, or without it. */
function changed(sample: unknown, key: string, member?: { readonly body: unknown }): unknown {
  if (Array.isArray(sample)) return sample.toSpliced(Number(key), 1, ...(member ? [member.body] : []));
  const { [key]: _, ...others } = sample as Record<string, unknown>;
  return member ? { ...others, [key]: member.body } : others;
}
