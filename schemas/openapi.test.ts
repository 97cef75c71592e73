import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import type { openApiDocument } from "./openapi.ts";

/** As `npm run check` finds it up to date. */
const document: ReturnType<typeof openApiDocument> = JSON.parse(
  readFileSync(new URL("openapi.json", import.meta.url), "utf8"),
);

test("is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone({ ...document }));

  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(validator.version).toBe("3.1");
});
