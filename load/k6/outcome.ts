import type { Fields, RequestRow } from "./request-row.ts";

/** What became of a request. HTTP status alone does not tell: a transfer's 200 may be a refusal. */
export const OUTCOMES = [
  "accepted",
  "business-refused",
  "throttled",
  "server-error",
  "auth-error",
  /** The answer breaks the documented shape. */
  "malformed",
  /** No answer before the deadline: the request may have been carried out. */
  "timeout",
  /** The connection was never made: the request was not carried out. */
  "connection-error",
  /** The connection broke before an answer: the request may have been carried out. */
  "unknown",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Whether the target may have carried out a request without having told so. */
export const isIndeterminate = (outcome: Outcome) =>
  outcome === "timeout" || outcome === "unknown" || outcome === "server-error" || outcome === "malformed";

/** The parts of an answer that decide its outcome. */
export interface Reply {
  /** 0 when there is no answer. */
  readonly status: number;
  /** k6's code for what went wrong below HTTP. */
  readonly errorCode: number;
  readonly retryAfter: boolean;
  /** The parsed body; `undefined` when it is no JSON. */
  readonly body: unknown;
}

/** Sorts an answer to `row` into its outcome. */
export function outcomeOf(row: RequestRow, reply: Reply): Outcome {
  const { status, body } = reply;
  if (status === 0) return withoutAnswer(reply.errorCode);
  if (status === 429 || (status === 503 && reply.retryAfter)) return "throttled";
  if (status === 401 || status === 403) return "auth-error";
  if (status >= row.success.from && status <= row.success.to && succeeded(row, body)) {
    return matches(row.accepted, body) ? "accepted" : "malformed";
  }
  const documented = row.refusals.filter(({ from, to }) => status >= from && status <= to);
  if (documented.some(({ fields }) => matches(fields, body))) return "business-refused";
  if (status >= 500) return "server-error";
  if (documented.length > 0 || status < 400) return saysNo(row, reply) ? "business-refused" : "malformed";
  return "business-refused";
}

/** Codes of k6: 1050 deadline, 11xx name resolution, 121x dialling, 13xx TLS; after those the request was out. */
function withoutAnswer(code: number): Outcome {
  if (code === 1050) return "timeout";
  const neverSent = /^(11\d\d|121\d|13\d\d)$/.test(String(code));
  return neverSent ? "connection-error" : "unknown";
}

function succeeded({ success }: RequestRow, body: unknown): boolean {
  if (success.equals) return member(body, success.equals.field) === success.equals.value;
  return success.has === undefined || member(body, success.has) !== undefined;
}

/** A success body whose deciding field says that nothing was done (`status: false`). */
const saysNo = (row: RequestRow, { status, body }: Reply) =>
  row.success.equals !== undefined && status === row.success.from && matches(row.accepted, body);

const matches = (fields: Fields, body: unknown) =>
  Object.entries(fields).every(([name, kinds]) => {
    const value = member(body, name);
    return value !== undefined && (kinds.length === 0 || kinds.includes(kindOf(value)));
  });

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The member `name` of a body that is an object. */
export function member(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  return Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
}
