import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { createDocument, type ZodOpenApiOverride, type ZodOpenApiPathItemObject } from "zod-openapi";
import project from "../package.json" with { type: "json" };
import { isUndocumented, Undocumented } from "./bodies.ts";
import { documentsRequest, type OperationId, operations } from "./contract.ts";
import { type Change, marksRequired, type Operation } from "./operation.ts";

type Example = Required<Omit<Change, "bodyIfNone">>;

/** Makes the OpenAPI document of the contract; `exampleOf` gives the request that it shows for each operation. */
export const openApiDocument = (exampleOf: (id: OperationId) => Example) =>
  createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "Payments Service External API",
        version: project.version,
        description:
          "The 20 operations as the specification documents them. What it leaves open is open here too.",
      },
      servers,
      security: [{ bearer: [] }],
      tags: [...new Set(operations.map(service))].map((name) => ({ name })),
      paths: Object.fromEntries(
        operations.map((operation) => [operation.route, pathItem(operation, exampleOf(operation.id))]),
      ),
      components: {
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description:
              "A secret key, sent from backend code only. Test keys begin with sk_test_, live keys with sk_live_.",
          },
        },
      },
    },
    { override: asDocumented },
  );

const variables = {
  base_url: { default: "https://payments.example.com", description: "The address of the deployment" },
};

/** Section 4 shows both forms without saying which one a deployment uses. */
const servers = [
  { url: "{base_url}", description: "The path directly follows the base URL.", variables },
  {
    url: "{base_url}/api/user-service/external/v1",
    description: "A prefix precedes the path, as in the request samples.",
    variables,
  },
];

/** The operation at a path: no two operations of section 4 share one. */
function pathItem(operation: Operation, example: Example): ZodOpenApiPathItemObject {
  const { path, query, body } = operation;
  const described = {
    operationId: operation.id,
    summary: operation.noun.replace(/^an? (.)/, (_, first: string) => first.toUpperCase()),
    description: descriptionOf(operation),
    tags: [service(operation)],
    security: [{ bearer: [] }],
    ...((path || query) && {
      requestParams: {
        ...(path && { path: withExamples(path, example.path) }),
        ...(query && { query: withExamples(query, example.query) }),
      },
    }),
    ...(body && {
      requestBody: {
        required: marksRequired(operation),
        content: {
          [operation.contentType]: { schema: body, ...(example.body && { example: example.body }) },
        },
      },
    }),
    responses: responsesOf(operation),
  };
  return { [operation.method.toLowerCase()]: described };
}

function descriptionOf(operation: Operation): string {
  const { section, effect, responses } = operation;
  return [
    `Section ${section} of the specification. Effect: ${effect}.`,
    ...(documentsRequest(operation)
      ? []
      : ["The request (body, parameters, and what identifies its target) is undocumented."]),
    ...(responses.any ? ["Status codes are undocumented."] : []),
  ].join(" ");
}

function withExamples(parameters: z.ZodObject, values: Example["query"]): z.ZodObject {
  const described = Object.entries(parameters.shape).map(([name, schema]) => [
    name,
    name in values
      ? (schema as z.ZodType).meta({ ...(schema as z.ZodType).meta(), param: { example: values[name] } })
      : schema,
  ]);
  return z.object(Object.fromEntries(described));
}

/** The service that the path names; the API groups its operations by it. */
const service = ({ route }: Operation) => route.split("/")[2] ?? "";

function responsesOf({ responses: { any, ...byStatus }, errorBody }: Operation) {
  // Section 5: every operation needs the token. A rejection without a documented status may even be a 2xx.
  // Where no status is documented for an invalid request, the API may choose one.
  const isOpen = !(400 in byStatus || 422 in byStatus || errorBody);
  const open = isOpen && { "4XX": Undocumented };
  const bodies = Object.entries({ 401: Undocumented, ...byStatus, ...open, "2XX": any, default: errorBody });
  return Object.fromEntries(
    bodies.flatMap(([status, schema]) => (schema ? [[status, response(status, schema)]] : [])),
  );
}

function response(status: string, schema: z.ZodType) {
  const meaning = STATUS_CODES[status] ?? "The status code is undocumented";
  if (isUndocumented(schema)) return { description: `${meaning}. The body is undocumented.` };
  return { description: `${meaning}.`, content: { "application/json": { schema } } };
}

/** Removes what zod adds to the specification: closed objects and the bounds of safe integers. */
const asDocumented: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type === "object" && !def.catchall) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};
