/** A body with one defect: a member is missing, or the value at `path` has another type. */
export interface Mutation {
  /** The dotted path of the defect; empty for the body itself. */
  readonly path: string;
  readonly kind: Kind | "missing";
  readonly body: unknown;
}

export type Kind = "null" | "boolean" | "number" | "string" | "array" | "object" | "NaN";

const values: Readonly<Record<Kind, unknown>> = {
  null: null,
  boolean: true,
  number: 7,
  string: "text",
  array: [],
  object: {},
  NaN: Number.NaN,
};

/** Yields every variant of a sample body with one defect, for tests of what a schema must reject. */
export function* mutations(sample: unknown, path = ""): Generator<Mutation> {
  for (const kind of Object.keys(values) as Kind[]) {
    if (kind !== kindOf(sample)) yield { path, kind, body: values[kind] };
  }
  if (!isPlain(sample)) return;
  for (const [key, member] of Object.entries(sample)) {
    const at = path ? `${path}.${key}` : key;
    yield { path: at, kind: "missing", body: without(sample, key) };
    for (const inner of mutations(member, at)) yield { ...inner, body: withMember(sample, key, inner.body) };
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "object" && !isPlain(value) ? "file" : typeof value;
}

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype);

function withMember(body: object, key: string, value: unknown): unknown {
  return Array.isArray(body) ? body.with(Number(key), value) : { ...body, [key]: value };
}

function without(body: object, key: string): unknown {
  if (Array.isArray(body)) return body.toSpliced(Number(key), 1);
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}
