import { DIGITS } from "./requests.ts";

/** Fields of a body and the JSON types that each may have; an empty list allows any type. */
export type Fields = readonly { readonly name: string; readonly types: readonly string[] }[];

interface StatusRange {
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
  readonly rejections: readonly (StatusRange & { readonly fields: Fields })[];
}

/** What became of a request. The status alone does not decide: a transfer may be rejected with 200. */
export const OUTCOMES = [
  "accepted",
  /** A rejection that the request asks for, or that it may get. */
  "business-refused",
  "valid-refused",
  "throttled",
  "server-error",
  "auth-error",
  "malformed",
  /** No response before the deadline: the API may have carried out the request. */
  "timeout",
  /** k6 could not connect: the API never got the request. */
  "connection-error",
  /** The connection broke before a response: the API may have carried out the request. */
  "unknown",
  /** The machine of k6 lacked a port, a file descriptor, the name or a network, so the request was never sent. */
  "unsent",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Whether the API may have carried out the request without confirming it. */
export const isIndeterminate = (outcome: Outcome) =>
  outcome === "timeout" || outcome === "unknown" || outcome === "server-error" || outcome === "malformed";

/** Whether the request got no usable response: its key is valid, so a rejection of the key is none. */
export const isTechnicalFailure = (outcome: Outcome) =>
  outcome === "connection-error" || outcome === "auth-error" || isIndeterminate(outcome);

/** Whether the request left this machine; one that did not proves nothing about the target. */
export const isSent = (outcome: Outcome) => outcome !== "unsent";

export interface HttpResponse {
  /** 0 if there is no response. */
  readonly status: number;
  /** k6's code for a failure below HTTP, and its text. */
  readonly errorCode: number;
  readonly error?: string;
  readonly retryAfter: boolean;
  readonly body: unknown;
}

export function outcomeOf(
  row: RequestRow,
  { status, errorCode, error, retryAfter, body }: HttpResponse,
): Outcome {
  if (status === 0) return outcomeWithoutResponse(errorCode, error);
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

/** What an operating system says (Linux or macOS, Windows) when it cannot open a connection, whatever the target does. */
const LOCAL_ERRORS = [
  "assign requested address",
  "Only one usage of each socket address",
  "too many open files",
  "buffer space",
  "network is unreachable",
  "network is down",
  "unreachable network",
];

/**
 * k6 codes: 1050 deadline; 11xx name resolution, 121x dialling and 13xx TLS, which all precede the request. k6 has resolved
 * the name before the load, so that a name that it cannot resolve any more is no fault of the target.
 */
function outcomeWithoutResponse(code: number, error = ""): Outcome {
  if (isIn(code, 1100, 1200) || LOCAL_ERRORS.some((text) => error.includes(text))) return "unsent";
  if (code === 1050) return "timeout";
  const neverSent = isIn(code, 1210, 1220) || isIn(code, 1300, 1400);
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

const hasFields = (body: unknown, fields: Fields): boolean =>
  fields.every(({ name, types }) => {
    const value = fieldOf(body, name);
    return value !== undefined && (types.length === 0 || types.includes(jsonTypeOf(value)));
  });

function jsonTypeOf(value: unknown): string {
  const type = typeof value;
  if (type !== "object") return type;
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : type;
}

/** The documented field `name` of a body; `undefined` if the body is not an object or lacks the field. */
export const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;

/** Parses JSON; `undefined` if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const LENGTH = 16;

/** Makes digests of identifiers, which may be secrets or megabytes long; `sha256` returns hexadecimal digits. */
export const digestWith =
  (sha256: (text: string) => string) =>
  (identifier: unknown): string | null =>
    typeof identifier === "string" || typeof identifier === "number"
      ? sha256(String(identifier)).slice(0, LENGTH)
      : null;

/** What k6 sees in a single response that speaks for or against an invariant. */
export const EVIDENCE = [
  "malformed",
  /** The response to a request with a reference shows another reference of the run. */
  "foreign-reference",
  "bad-key-accepted",
  "bad-key-rejected",
  "page-too-long",
  "page-in-bounds",
] as const;

export type Evidence = (typeof EVIDENCE)[number];

// No regular expressions: k6's engine keeps 30 kB for the first one of every virtual user.

/** What the response to a request of the workload shows. All references of the run begin with `prefix`. */
export function evidenceIn(
  text: string,
  { url, sent, reference }: Readonly<Record<"url" | "reference", string> & { sent: string | null }>,
  outcome: Outcome,
  prefix: string,
): Evidence[] {
  const seen: Evidence[] = outcome === "malformed" ? ["malformed"] : [];
  const isAbout = url.includes(reference) || sent?.includes(reference);
  if (isAbout && showsOtherReference(text, prefix, reference)) seen.push("foreign-reference");
  return seen;
}

/** Whether a text shows a whole reference of the run, all of which begin with `prefix`, other than `own`. */
function showsOtherReference(text: string, prefix: string, own: string): boolean {
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
    if (text.startsWith(own, at)) continue;
    const end = at + prefix.length;
    const digits = [...text.slice(end, end + DIGITS)].filter((one) => one >= "0" && one <= "9");
    if (digits.length === DIGITS) return true;
  }
  return false;
}
