import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { operations } from "./contract.ts";
import type { openApiDocument } from "./openapi.ts";

/** As `npm run check` finds it up to date. */
const document: ReturnType<typeof openApiDocument> = JSON.parse(
  readFileSync(new URL("openapi.json", import.meta.url), "utf8"),
);

const described = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item));
const find = (id: string) => described.find(({ operationId }) => operationId === id);

test("is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone({ ...document }));

  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(validator.version).toBe("3.1");
});

test("describes the operations of the contract and no others, and demands the bearer token for each", () => {
  expect(described.map(({ operationId }) => operationId)).toEqual(operations.map(({ id }) => id));
  expect(described.filter(({ security }) => !("bearer" in security[0]))).toEqual([]);
});

test.each(operations.filter(({ body }) => body))(
  "gives an example of the body of $id",
  ({ id, contentType }) => {
    expect(find(id)?.requestBody.content).toEqual({
      [contentType]: { schema: expect.anything(), example: expect.any(Object) },
    });
  },
);

test.each([
  ["listTransfers", ["200", "400", "401", "500"]],
  ["initializeVirtualAccount", ["200", "401", "422"]],
  ["getProfile", ["401", "4XX", "2XX"]],
  ["createTransfer", ["401", "2XX", "default"]],
])("lists the documented status codes of %s, and ranges if they are undocumented: %j", (id, codes) => {
  expect(Object.keys(find(id)?.responses)).toEqual(codes);
});

test("closes only the refund's object, and bounds no integer", () => {
  const text = JSON.stringify(document);

  expect(text.match(/"additionalProperties":false/g)).toHaveLength(1);
  expect(document.components?.schemas?.Refunded).toMatchObject({ additionalProperties: false });
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
});
