import { z } from "zod";
import { type VariableName, variable } from "../fixtures/config/variables.ts";
import { operations, successSchema } from "../schemas/contract.ts";
import { writeGenerated } from "../schemas/generated.ts";
import type { Operation } from "../schemas/operation.ts";
import {
  FRESH,
  FRESH_NOTE,
  type Given,
  INVENTED_EMAIL,
  IP_ADDRESS,
  isGiven,
  NOTE,
  type Template,
} from "../schemas/recipe.ts";
import type { Ordinary, Source } from "./k6/ordinary.ts";
import type { Fields, RequestRow } from "./k6/outcome.ts";
import { workloads } from "./k6/traffic/workloads.ts";

/** The required top-level fields of a body. */
function fieldsOf(schema: z.ZodType): Fields {
  // An empty registry, so that no schema has a name and becomes a reference.
  const metadata = z.registry<object>();
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { unrepresentable: "any", metadata });
  return required.map((name) => ({ name, types: typesOf(properties[name]) }));
}

/** The JSON types that a field may have, as k6 can check them cheaply with `typeof`; none if it may have any. */
function typesOf(schema: z.core.JSONSchema._JSONSchema | undefined): string[] {
  if (typeof schema !== "object") return [];
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type);
  return types.map((type) => (type === "integer" ? "number" : type));
}

function rowOf(operation: Operation): RequestRow {
  const { method, effect, tolerated } = operation;
  const { status, ...predicate } = operation.success;
  const range = status === "2xx" ? { from: 200, to: 299 } : { from: status, to: status };
  return {
    method,
    effect,
    success: { ...range, ...predicate },
    accepted: fieldsOf(tolerated ?? successSchema(operation)),
    rejections: rejectionsOf(operation),
  };
}

/** The rejections whose body is documented; if the status codes are not, any status below 500 may have it. */
function rejectionsOf({ responses, errorBody, success }: Operation): RequestRow["rejections"] {
  if (errorBody) return [{ from: 200, to: 499, fields: fieldsOf(errorBody) }];
  return Object.entries(responses)
    .map(([status, schema]) => ({ from: Number(status), to: Number(status), fields: fieldsOf(schema) }))
    .filter(({ from, fields }) => from !== success.status && fields.length > 0);
}

/** A function that makes one value: each of the many virtual users needs those of a few operations, and keeps a function. */
const chooser = (head: string, values: readonly (readonly [id: string, value: object])[], otherwise = "") =>
  `${head} {
  switch (operation) {
${values.map(([id, value]) => `    case ${JSON.stringify(id)}: return ${JSON.stringify(value)};\n`).join("")}${otherwise}  }
}
`;

writeGenerated(
  new URL("k6/generated/requests.ts", import.meta.url),
  `// Generated from schemas/contract.ts by \`npm run generate\`; edit the contract, not this file.
import type { RequestRow } from "../outcome.ts";

export type OperationName =
${operations.map(({ id }) => `  | ${JSON.stringify(id)}`).join("\n")};

/** What k6 has to know about an operation. */
${chooser(
  "export function requestRow(operation: OperationName): RequestRow",
  operations.map((operation) => [operation.id, rowOf(operation)]),
)}`,
);

/** Operations that a load may call: the others create or change records, and the API can delete none. */
const sendable = operations.filter(({ effect }) => effect === "read" || effect === "money");

/** The rejections that a workload asks for. */
const refusals = new Set(
  Object.values(workloads).flatMap((steps) => steps.flatMap(({ refusal }) => refusal ?? [])),
);

function ordinaryOf({ route, ordinary, bound, stake }: Operation): Ordinary {
  const body = ordinary.body && partsOf(ordinary.body).map(sourceOf);
  return {
    route,
    query: Object.assign({}, ...partsOf(ordinary.query ?? {}).map(sourceOf)),
    ...(body && { body }),
    ...(stake?.unit && { inSubunits: true }),
    refusals: Object.fromEntries(
      bound
        .filter(({ id }) => refusals.has(id))
        .map(({ id, change }) => [
          id,
          {
            ...(change.query && { query: changed(change.query) }),
            ...(change.body && { body: changed(change.body) }),
          },
        ]),
    ),
  };
}

const partsOf = (template: Template): readonly Template[] =>
  Array.isArray(template) ? template.flatMap(partsOf) : [template];

/** A value of a recipe as plain data. */
function sourceOf(value: unknown): unknown {
  switch (value) {
    case FRESH:
      return { new: "reference" } satisfies Source;
    case NOTE:
    case FRESH_NOTE:
      return "payments-conformance load";
    case INVENTED_EMAIL:
      return "load@example.com";
    case IP_ADDRESS:
      return { variable: "IP_ADDRESS", type: "text", otherwise: "192.0.2.10" } satisfies Source;
  }
  if (isGiven(value)) return variableSource(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sourceOf(one)]));
}

function variableSource({ variable: name, required, numberIf, otherwise, member }: Given): Source {
  return {
    variable: name,
    type: member === undefined ? typeOf(name as VariableName) : "list",
    ...(required && { required }),
    ...(numberIf !== undefined && { numberIf }),
    ...(otherwise !== undefined && { otherwise: sourceOf(otherwise) }),
  };
}

/** What a variable is, as its example shows. */
function typeOf(name: VariableName): "text" | "number" | "boolean" | "json" {
  const { schema, example } = variable(name);
  const type = typeof schema.parse(example);
  return type === "number" || type === "boolean" ? type : type === "object" ? "json" : "text";
}

/** JSON has no `undefined`; `null` stays out of it, and so do the conditions that send it. */
const changed = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value === undefined ? null : sourceOf(value)]),
  );

writeGenerated(
  new URL("k6/generated/ordinary.ts", import.meta.url),
  `// Generated from schemas/contract.ts by \`npm run generate\`; edit the contract, not this file.
import type { Ordinary } from "../ordinary.ts";

/** The ordinary request of an operation that a load may call; \`undefined\` for the others. */
${chooser(
  "export function ordinaryRequest(operation: string): Ordinary | undefined",
  sendable.map((operation) => [operation.id, ordinaryOf(operation)]),
  "    default: return undefined;\n",
)}`,
);
