import type { Target } from "../../fixtures/config/target.ts";
import type { Answer } from "../../fixtures/http/answer.ts";
import { parseJson } from "../../fixtures/http/body.ts";
import { NOT_ABOUT_CONTENT } from "../../fixtures/judge/matchers.ts";
import { isUndocumented } from "../../schemas/bodies.ts";
import { documentsSuccess } from "../../schemas/contract.ts";
import { errorSchema } from "../../schemas/operation.ts";

/** What an answer says became of its request. */
export type Direction = "success" | "rejection";

/** Statuses that come from something in front of the service unless the body is JSON. */
const IN_FRONT = [403, 404, 405, 406, 411, 413, 414, 415, 429, 431];

/** The documented kind of body that a recorded answer must have; `undefined` if the specification shows none. */
export function directionOf(answer: Answer, target: Target): Direction | undefined {
  if (!answer.complete || answer.isThrottled || !isReadable(answer, target)) return undefined;
  if (answer.looksAccepted) return isDocumentedSuccess(answer) ? "success" : undefined;
  return isDocumentedRejection(answer) ? "rejection" : undefined;
}

function isDocumentedSuccess(answer: Answer): boolean {
  const { success } = answer.operation;
  if (!documentsSuccess(answer.operation)) return false;
  // A body may say, with the documented type, that the operation was not carried out.
  const said = success.equals && answer.field(success.equals.field);
  return typeof said !== "boolean" || said === success.equals?.value;
}

function isDocumentedRejection(answer: Answer): boolean {
  const { operation, status = 0, is5xx, jsonProblem } = answer;
  const schema = errorSchema(operation, status);
  if (!schema || isUndocumented(schema)) return false;
  if (jsonProblem && (is5xx || IN_FRONT.includes(status))) return false;
  return !operation.errorBody || answer.is2xx || (answer.is4xx && !NOT_ABOUT_CONTENT.includes(status));
}

/** Whether the API could read the request, and knows who sent it. */
export function isReadable(answer: Answer, target: Target): boolean {
  const [key, ...furtherKeys] = sent(answer, "authorization");
  if (furtherKeys.length > 0 || !keysOf(target).some((one) => key === `Bearer ${one}`)) return false;
  return isWellFormed(answer);
}

/** Whether a request has no token, or one that is not a key in whatever spelling of the scheme. */
export function hasNoValidKey(answer: Answer, target: Target): boolean {
  const [value = "", ...further] = sent(answer, "authorization");
  const token = value.replace(/^bearer\s+/i, "").trim();
  const known = [...keysOf(target), target.values.PUBLISHABLE_KEY];
  return further.length === 0 && !known.includes(token) && isWellFormed(answer);
}

/** Whether the API could read the request: a server that cannot may not know which operation it is for. */
export function isWellFormed(answer: Answer): boolean {
  const { operation, request, looksAccepted } = answer;
  const { method, route, contentType } = operation;
  const path = new RegExp(`${route.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
  if (request.method !== method || !path.test(request.path)) return false;
  if (sent(answer, "accept").join() !== "application/json") return false;
  const body = request.body ?? Buffer.alloc(0);
  const type = sent(answer, "content-type").join();
  if (contentType === "none") return body.length === 0;
  // A rejection may be about a parameter of the media type.
  const isJson = looksAccepted ? /^application\/json(; *charset=utf-8)?$/.test(type) : type === contentType;
  if (contentType === "application/json") return isJson && isJsonStructure(body);
  return isForm(type, body.toString("latin1"));
}

/** The values of a request header. */
export const sent = ({ request }: Answer, name: string): string[] =>
  request.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);

/** Whether RFC 7578 allows a form: with a boundary, lines that end in CR and LF, an end, and no `filename*`. */
const isForm = (type: string, text: string) =>
  /boundary=/.test(type) && /\r\n--[^\r\n]+--\s*$/.test(text) && !/; filename\*=/.test(text);

const keysOf = ({ secretKey, values }: Target) => [secretKey, values.SECOND_SECRET_KEY];

/** Some JSON parsers read nothing but objects and arrays. */
function isJsonStructure(bytes: Buffer): boolean {
  const parsed = parseJson(bytes);
  return "value" in parsed && typeof parsed.value === "object" && parsed.value !== null;
}
