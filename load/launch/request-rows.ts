import { z } from "zod";
import { contract, type OperationId, successSchema } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import type { Fields, RequestRow } from "../k6/responses.ts";

/** What k6 has to know about an operation to call it and to classify its responses. */
export function requestRow(id: OperationId): RequestRow {
  const operation: Operation = contract[id];
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

/** The required top-level fields of a body, with types that k6 can check cheaply with `typeof`. */
function fieldsOf(schema: z.ZodType): Fields {
  // An empty registry, so that no schema has a name and becomes a reference.
  const metadata = z.registry<object>();
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { unrepresentable: "any", metadata });
  return required.map((name) => {
    const field = properties[name];
    const types =
      typeof field === "object" ? [field, ...(field.anyOf ?? [])].flatMap(({ type = [] }) => type) : [];
    return { name, types: types.map((type) => (type === "integer" ? "number" : type)) };
  });
}
