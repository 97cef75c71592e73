import { z } from "zod";
import type { Answer } from "../../fixtures/http/answer.ts";
import { isObject, parseJson } from "../../fixtures/http/body.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { successSchema } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";

/** Whether the specification documents the body of a success. */
export const documentsSuccessBody = (operation: Operation) => !isUndocumented(successSchema(operation));

/** Whether an answer belongs to an ordinary request, and has a status whose body the specification documents. */
export function isDocumented(answer: Answer, { target }: CheckContext): boolean {
  const { operation, status = 0, complete } = answer;
  if (!complete || !isOrdinary(answer, target.secretKey)) return false;
  // These may come from a gateway in front of the service, which does not know the service's bodies.
  if ([401, 403, 413, 414, 429, 431].includes(status) || (status >= 500 && !operation.responses[status]))
    return false;
  const schema =
    operation.responses[status] ?? (status < 300 ? operation.responses.any : operation.errorBody);
  return schema !== undefined && !isUndocumented(schema);
}

/** Whether a JSON body may be expected: a server that cannot read a request may not know which operation it is for. */
function isOrdinary({ operation, request }: Answer, secretKey: string): boolean {
  const sent = (name: string) => request.headers.find(([key]) => key === name)?.[1] ?? "";
  if (sent("Accept") !== "application/json" || sent("Authorization") !== `Bearer ${secretKey}`) return false;
  if (request.method !== operation.method) return false;
  const body = request.body ?? Buffer.alloc(0);
  if (operation.contentType === "none") return body.length === 0;
  if (operation.contentType === "multipart/form-data")
    return /boundary=/.test(sent("Content-Type")) && /--\s*$/.test(body.toString("utf8"));
  return sent("Content-Type") === "application/json" && isJsonObject(body);
}

function isJsonObject(bytes: Buffer): boolean {
  const parsed = parseJson(bytes);
  return "value" in parsed && isObject(parsed.value);
}

const isUndocumented = (schema: z.ZodType) => schema instanceof z.ZodUnknown;
