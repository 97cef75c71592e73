import { z } from "zod";
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import project from "../package.json" with { type: "json" };
import { operations } from "./contract.ts";
import type { Operation } from "./operation.ts";

/** Builds the OpenAPI 3.1 document of the contract. */
export function openApiDocument(): oas31.OpenAPIObject {
  return createDocument(
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
      paths: paths(),
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
}

const baseUrl = {
  base_url: { default: "https://payments.example.com", description: "The address of the deployment" },
};

/** Section 4 shows both forms without saying which one a deployment uses. */
const servers = [
  { url: "{base_url}", description: "The path directly follows the base URL.", variables: baseUrl },
  {
    url: "{base_url}/api/user-service/external/v1",
    description: "A prefix precedes the path, as in the request samples.",
    variables: baseUrl,
  },
];

function paths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    paths[operation.route] = {
      ...paths[operation.route],
      [operation.method.toLowerCase()]: operationObject(operation),
    };
  }
  return paths;
}

function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const { path, query, body } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: descriptionOf(operation),
    tags: [service(operation)],
    security: [{ bearer: [] }],
    ...((path || query) && { requestParams: { ...(path && { path }), ...(query && { query }) } }),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { [operation.contentType]: { schema: body } },
      },
    }),
    responses: responsesOf(operation),
  };
}

function descriptionOf({ section, effect, body, responses }: Operation): string {
  const sentences = [`Section ${section} of the specification. Effect: ${effect}.`];
  if (body && Object.keys(body.shape).length === 0) {
    sentences.push("The request (body, parameters, and what identifies its target) is undocumented.");
  }
  if (responses.any) sentences.push("Status codes are undocumented.");
  return sentences.join(" ");
}

/** The service that the path names; the API groups its operations by it. */
function service({ route }: Operation): string {
  const [, , name] = route.split("/");
  if (!name) throw new Error(`${route} does not name a service: write the path as section 4 does`);
  return name;
}

function responsesOf({ responses, errorBody }: Operation): ZodOpenApiResponsesObject {
  const { any: success, ...byStatus } = responses;
  return {
    ...Object.fromEntries(
      Object.entries(byStatus).map(([status, schema]) => [
        status,
        response(MEANINGS[status] ?? status, schema),
      ]),
    ),
    ...(success && { "2XX": response("Success; the status code is undocumented", success) }),
    ...(errorBody && { "4XX": response("Rejected; the status code is undocumented", errorBody) }),
  };
}

const MEANINGS: Readonly<Record<string, string>> = {
  200: "Success",
  201: "Created",
  400: "Rejected",
  401: "Bearer token missing or invalid",
  404: "Not found",
  422: "Rejected",
  500: "Failure",
};

function response(meaning: string, schema: z.ZodType): ZodOpenApiResponseObject {
  if (schema instanceof z.ZodUnknown) return { description: `${meaning}. The body is undocumented.` };
  return { description: `${meaning}.`, content: { "application/json": { schema } } };
}

/** Removes what zod adds to the specification: closed objects and the bounds of safe integers. */
const asDocumented: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type === "object" && !def.catchall) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};
