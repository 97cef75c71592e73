import { z } from "zod";
import { type Answer, isObject } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { successSchema } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";

/** Whether the specification shows the body of a success. */
export function showsBodies(operation: Operation): boolean {
  return !isNotShown(successSchema(operation));
}

/** An answer to an ordinary request, with a status whose body the specification shows. */
export function isDocumented(answer: Answer, { target }: Bench): boolean {
  const { operation, status = 0, complete } = answer;
  if (!complete || !isOrdinary(answer, target.secretKey)) return false;
  // These may come from what stands before the service, which knows nothing of its bodies.
  if ([401, 403, 413, 414, 429, 431].includes(status) || (status >= 500 && !operation.responses[status]))
    return false;
  const shown = operation.responses[status] ?? (status < 300 ? operation.responses.any : operation.refusal);
  return shown !== undefined && !isNotShown(shown);
}

/** Whether a JSON body may be expected: a server that cannot read a request may not know what it is about. */
function isOrdinary({ operation, request }: Answer, secretKey: string): boolean {
  const sent = (name: string) => request.headers.find(([key]) => key === name)?.[1] ?? "";
  if (sent("Accept") !== "application/json" || sent("Authorization") !== `Bearer ${secretKey}`) return false;
  if (request.method !== operation.method) return false;
  const body = request.body?.toString("utf8") ?? "";
  if (operation.contentType === "none") return body === "";
  if (operation.contentType === "multipart/form-data")
    return /boundary=/.test(sent("Content-Type")) && /--\s*$/.test(body);
  return sent("Content-Type") === "application/json" && isJsonObject(body);
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function isNotShown(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown;
}
