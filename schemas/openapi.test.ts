import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { operations } from "./contract.ts";
import type { openApiDocument } from "./openapi.ts";

/** As `npm run check` finds it up to date. */
const document: ReturnType<typeof openApiDocument> = JSON.parse(
  readFileSync(new URL("openapi.json", import.meta.url), "utf8"),
);

const described = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  (["get", "post", "put", "patch", "delete"] as const).flatMap((method) => {
    const operation = item[method];
    return operation ? [{ path, method: method.toUpperCase(), operation }] : [];
  }),
);

const find = (id: string) => {
  const found = described.find(({ operation }) => operation.operationId === id);
  if (!found) throw new Error(`the document does not describe ${id}`);
  return found.operation;
};

test("is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone({ ...document }));

  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(validator.version).toBe("3.1");
});

test("describes the operations of the contract and no others", () => {
  expect(described.map(({ path, method, operation }) => [operation.operationId, method, path])).toEqual(
    operations.map(({ id, method, route }) => [id, method, route]),
  );
});

test("demands the bearer token for every operation", () => {
  expect(document.components?.securitySchemes?.bearer).toMatchObject({ type: "http", scheme: "bearer" });
  expect(document.security).toEqual([{ bearer: [] }]);
  expect(described.filter(({ operation }) => !operation.security?.some(({ bearer }) => bearer))).toEqual([]);
});

test("describes a page as multipart form data with a binary image, and all other bodies as JSON", () => {
  const types = operations
    .filter(({ body }) => body)
    .map(({ id }) => ({ id, types: Object.keys(contentOf(id)) }));
  const page = contentOf("createPaymentPage")["multipart/form-data"]?.schema;

  expect(types.filter(({ types }) => String(types) !== "application/json")).toEqual([
    { id: "createPaymentPage", types: ["multipart/form-data"] },
  ]);
  expect(page).toMatchObject({ properties: { seoImage: { type: "string", format: "binary" } } });
});

function contentOf(id: string) {
  const body = find(id).requestBody;
  if (!body || !("content" in body)) throw new Error(`${id} has no request body`);
  return body.content;
}

test("lists the documented status codes, and ranges if they are undocumented", () => {
  const codes = (id: string) => Object.keys(find(id).responses ?? {});

  expect(codes("listTransfers")).toEqual(["200", "400", "401", "500"]);
  expect(codes("initializeVirtualAccount")).toEqual(["200", "401", "422"]);
  expect(codes("getProfile")).toEqual(["401", "4XX", "2XX"]);
  for (const id of ["createCardTransaction", "createNddTransaction", "createTransfer"]) {
    expect(codes(id)).toEqual(["401", "2XX", "default"]);
    expect(find(id).description).toContain("Status codes are undocumented.");
  }
});

test("gives an example of each required parameter and of each body", () => {
  const parameters = described.flatMap(({ operation }) => operation.parameters ?? []);
  const withoutExample = parameters.filter((one) => "required" in one && one.required && !("example" in one));

  expect(withoutExample).toEqual([]);
  for (const { id } of operations.filter(({ body }) => body))
    expect(Object.values(contentOf(id)), id).toMatchObject([{ example: expect.any(Object) }]);
});

test("closes only the refund's object, and bounds no integer", () => {
  const text = JSON.stringify(document);

  expect(text.match(/"additionalProperties":false/g)).toHaveLength(1);
  expect(document.components?.schemas?.Refunded).toMatchObject({ additionalProperties: false });
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
});
