/** Fields of a body and the JSON types that each may have; an empty list allows any type. */
export type Fields = readonly { readonly name: string; readonly types: readonly string[] }[];

/** A range of status codes, both ends included. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

/** What k6 has to know about an operation to call it and to classify its responses. */
export interface RequestRow {
  readonly method: "GET" | "POST" | "PUT";
  readonly effect: "read" | "create" | "update" | "money";
  /** The statuses of a success, and the field (or the field and its value) that only a success body has. */
  readonly success: StatusRange & {
    readonly has?: string;
    readonly equals?: { readonly field: string; readonly value: boolean };
  };
  readonly accepted: Fields;
  /** The rejections whose body is documented. */
  readonly rejections: readonly (StatusRange & { readonly fields: Fields })[];
}

/** What became of a request. The status alone does not decide: a transfer may be rejected with 200. */
export const OUTCOMES = [
  "accepted",
  "business-refused",
  "throttled",
  "server-error",
  "auth-error",
  /** The response breaks its documented shape. */
  "malformed",
  /** No response before the deadline: the API may have carried out the request. */
  "timeout",
  /** k6 could not connect: the API never got the request. */
  "connection-error",
  /** The connection broke before a response: the API may have carried out the request. */
  "unknown",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Whether the API may have carried out the request without confirming it. */
export const isIndeterminate = (outcome: Outcome) =>
  outcome === "timeout" || outcome === "unknown" || outcome === "server-error" || outcome === "malformed";

/** Whether the request got no usable response: its key is valid, so a rejection of the key is none. */
export const isTechnicalFailure = (outcome: Outcome) =>
  outcome === "connection-error" || outcome === "auth-error" || isIndeterminate(outcome);

export interface HttpResponse {
  /** 0 if there is no response. */
  readonly status: number;
  /** k6's code for a failure below HTTP. */
  readonly errorCode: number;
  readonly retryAfter: boolean;
  /** The parsed body; `undefined` if it is not JSON. */
  readonly body: unknown;
}

export function outcomeOf(row: RequestRow, { status, errorCode, retryAfter, body }: HttpResponse): Outcome {
  if (status === 0) return outcomeWithoutResponse(errorCode);
  if (status === 429 || (status === 503 && retryAfter)) return "throttled";
  if (status === 401 || status === 403) return "auth-error";
  // No operation redirects, whatever the body says.
  if (status >= 300 && status < 400) return "malformed";
  if (isSuccess(row, status, body)) return hasFields(body, row.accepted) ? "accepted" : "malformed";
  if (isDocumentedRejection(row, status, body)) return "business-refused";
  if (status >= 500) return "server-error";
  // A 4xx whose body is undocumented, so any body will do.
  const isDocumented = row.rejections.some((range) => covers(range, status));
  return status >= 400 && !isDocumented ? "business-refused" : "malformed";
}

/** k6 codes: 1050 deadline; 11xx name resolution, 121x dialling and 13xx TLS, which all precede the request. */
function outcomeWithoutResponse(code: number): Outcome {
  if (code === 1050) return "timeout";
  const neverSent = isIn(code, 1100, 1200) || isIn(code, 1210, 1220) || isIn(code, 1300, 1400);
  return neverSent ? "connection-error" : "unknown";
}

const isIn = (code: number, from: number, end: number) => code >= from && code < end;
const covers = ({ from, to }: StatusRange, status: number) => status >= from && status <= to;

function isSuccess({ success }: RequestRow, status: number, body: unknown): boolean {
  if (!covers(success, status)) return false;
  if (success.equals) return fieldOf(body, success.equals.field) === success.equals.value;
  return success.has === undefined || fieldOf(body, success.has) !== undefined;
}

/** So is a success body whose deciding field has the other value (`status: false`): the API did nothing. */
const isDocumentedRejection = (
  { success, accepted, rejections }: RequestRow,
  status: number,
  body: unknown,
) =>
  (success.equals !== undefined && status === success.from && hasFields(body, accepted)) ||
  rejections.some((range) => covers(range, status) && hasFields(body, range.fields));

/** Goes by index: an iterator takes k6's engine longer than all the rest. */
function hasFields(body: unknown, fields: Fields): boolean {
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index];
    if (field && !hasField(body, field)) return false;
  }
  return true;
}

function hasField(body: unknown, { name, types }: Fields[number]): boolean {
  const value = fieldOf(body, name);
  return value !== undefined && (types.length === 0 || types.includes(jsonTypeOf(value)));
}

function jsonTypeOf(value: unknown): string {
  const type = typeof value;
  if (type !== "object") return type;
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : type;
}

/** The documented field `name` of a body; `undefined` if the body is not an object or lacks the field. */
export const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
