import { z } from "zod";
import { operations, successSchema } from "../schemas/contract.ts";
import { writeGenerated } from "../schemas/generated.ts";
import type { Operation } from "../schemas/operation.ts";
import type { Fields, RequestRow } from "./k6/outcome.ts";

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

writeGenerated(
  new URL("k6/generated/requests.ts", import.meta.url),
  `// Generated from schemas/contract.ts by \`npm run generate\`; edit the contract, not this file.
import type { RequestRow } from "../outcome.ts";

export type OperationName =
${operations.map(({ id }) => `  | ${JSON.stringify(id)}`).join("\n")};

/** What k6 has to know about an operation: a function, because each virtual user keeps what it needs of a few operations. */
export function requestRow(operation: OperationName): RequestRow {
  switch (operation) {
${operations.map((operation) => `    case ${JSON.stringify(operation.id)}: return ${JSON.stringify(rowOf(operation))};`).join("\n")}
  }
}
`,
);
