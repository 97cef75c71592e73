import type { Target } from "../../fixtures/config/target.ts";
import type { Answer } from "../../fixtures/http/answer.ts";
import { parseJson } from "../../fixtures/http/body.ts";
import { isUndocumented } from "../../schemas/bodies.ts";
import { documentsSuccess } from "../../schemas/contract.ts";
import { errorSchema } from "../../schemas/operation.ts";

/** What an answer says became of its request. */
export type Direction = "success" | "rejection";

/** Statuses that come from something in front of the service unless the body is JSON. */
const IN_FRONT = [403, 404, 405, 406, 411, 413, 414, 415, 429, 431];

/** Statuses that no operation documents with a body, because they are about the caller or about HTTP. */
const NOT_ABOUT_CONTENT = [401, 403, 405, 406, 407, 408, 411, 413, 414, 415, 421, 429, 431];

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

/** Whether the API could read the request: a server that cannot may not know which operation it is for. */
function isReadable({ operation, request, looksAccepted }: Answer, target: Target): boolean {
  const { method, route, contentType } = operation;
  const sent = (name: string) =>
    request.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
  const path = new RegExp(`${route.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
  if (request.method !== method || !path.test(request.path)) return false;
  const [key, ...furtherKeys] = sent("authorization");
  if (furtherKeys.length > 0 || !keysOf(target).some((one) => key === `Bearer ${one}`)) return false;
  if (sent("accept").join() !== "application/json") return false;
  const body = request.body ?? Buffer.alloc(0);
  const type = sent("content-type").join();
  if (contentType === "none") return body.length === 0;
  // A rejection may be about a parameter of the media type.
  const isJson = looksAccepted ? /^application\/json(; *charset=utf-8)?$/.test(type) : type === contentType;
  if (contentType === "application/json") return isJson && isJsonStructure(body);
  return isForm(type, body.toString("latin1"));
}

/** Whether RFC 7578 allows a form: with a boundary, lines that end in CR and LF, an end, and no `filename*`. */
const isForm = (type: string, text: string) =>
  /boundary=/.test(type) && /\r\n--[^\r\n]+--\s*$/.test(text) && !/; filename\*=/.test(text);

const keysOf = ({ secretKey, values }: Target) => [secretKey, values.SECOND_SECRET_KEY];

/** Some JSON parsers read nothing but objects and arrays. */
function isJsonStructure(bytes: Buffer): boolean {
  const parsed = parseJson(bytes);
  return "value" in parsed && typeof parsed.value === "object" && parsed.value !== null;
}
