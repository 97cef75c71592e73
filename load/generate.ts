import { z } from "zod";
import { operations, successSchema } from "../schemas/contract.ts";
import { writeGenerated } from "../schemas/generated.ts";
import type { Operation } from "../schemas/operation.ts";
import type { Fields } from "./k6/request-row.ts";

/** The part of a JSON Schema that k6 can check cheaply, with `typeof`. */
const Shape = z.object({
  type: z.string().optional(),
  anyOf: z.array(z.object({ type: z.string() })).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
});

/** The required top-level fields of a body. */
function fieldsOf(schema: z.ZodType): Fields {
  const root = Shape.parse(z.toJSONSchema(schema, { unrepresentable: "any" }));
  const name = root.$ref?.replace("#/$defs/", "");
  const { properties = {}, required = [] } = name ? Shape.parse(root.$defs?.[name]) : root;
  return Object.fromEntries(required.map((field) => [field, typesOf(properties[field])]));
}

function typesOf(schema: unknown): string[] {
  const { type, anyOf = [] } = Shape.parse(schema);
  const types = type ? [type] : anyOf.map((alternative) => alternative.type);
  return types.map((name) => (name === "integer" ? "number" : name));
}

function rowOf(operation: Operation) {
  const { status, ...predicate } = operation.success;
  const success = status === "2xx" ? { from: 200, to: 299 } : { from: status, to: status };
  return {
    method: operation.method,
    path: operation.route,
    contentType: operation.contentType,
    effect: operation.effect,
    success: { ...success, ...predicate },
    accepted: fieldsOf(operation.tolerated ?? successSchema(operation)),
    rejections: rejectionsOf(operation),
  };
}

/** The rejections whose body is documented; if the status codes are not, any status below 500 may have it. */
function rejectionsOf({ responses, errorBody, success }: Operation) {
  if (errorBody) return [{ from: 200, to: 499, fields: fieldsOf(errorBody) }];
  return Object.entries(responses)
    .map(([status, schema]) => ({ from: Number(status), to: Number(status), fields: fieldsOf(schema) }))
    .filter(({ from, fields }) => from !== success.status && Object.keys(fields).length > 0);
}

/** A value as TypeScript, formatted as in the rest of the project. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literal(member)}`);
  return members.length > 0 ? `{ ${members.join(", ")} }` : "{}";
}

const rows = operations.map((operation) => {
  const lines = Object.entries(rowOf(operation)).map(([name, value]) => `    ${name}: ${literal(value)},\n`);
  return `  ${operation.id}: {\n${lines.join("")}  },\n`;
});

writeGenerated(
  new URL("k6/generated/requests.ts", import.meta.url),
  `// Generated from schemas/contract.ts by \`npm run generate\`; edit the contract, not this file.
import type { RequestRow } from "../request-row.ts";

export const requests = {
${rows.join("")}} as const satisfies Record<string, RequestRow>;

export type OperationName = keyof typeof requests;
`,
);
