import { z } from "zod";
import type { Target } from "../../../fixtures/engine/config/target.ts";
import { headersOf } from "../../../fixtures/engine/evidence/steps.ts";
import { parseJson } from "../../../fixtures/engine/http/body.ts";
import { isReadable } from "../../../fixtures/engine/http/readable.ts";
import { remembered } from "../../../fixtures/engine/http/response.ts";
import { saysUsed } from "../../../fixtures/engine/http/wording.ts";
import { NOT_ABOUT_CONTENT } from "../../../fixtures/engine/judge/matchers.ts";
import { listsNothing } from "../../../fixtures/engine/lists/counting.ts";
import type { ApiResponse, CheckContext } from "../../../fixtures/engine/vocabulary.ts";

/** A payment that is accepted so soon after its twin was rejected meets no limit, and no rule against duplicates. */
const SOON_MS = 1_000;

/** Whether the service itself failed: a 502, 503 or 504 without JSON may come from something in front of it. */
export const isOwnFailure = (response: ApiResponse): boolean =>
  response.isServerError &&
  response.kind !== "unavailable" &&
  (!response.jsonProblem || ![502, 504].includes(response.status ?? 0));

/** What two requests have in common that differ only in a value that the suite makes up for each. */
export function kindOfRequest(ctx: CheckContext, response: ApiResponse): string {
  const { method, path, inParts = "" } = response.request;
  const [, boundary = ""] = /boundary="?([^";]*)/.exec(response.headersSent("content-type").join()) ?? [];
  const text = [method, path, inParts, headersOf(response), response.textSent].join("\n");
  const reference = referenceOf(ctx, response);
  const known = reference === undefined ? text : text.replaceAll(reference, "[NEW]");
  // Only its digits are new; of the rest, the API may make something.
  return boundary === "" ? known : known.replaceAll(boundary, boundary.replaceAll(/\d/g, "0"));
}

/** Whether the run has sent a request of the same kind with another value of its own. */
export const hasTwin = (ctx: CheckContext, response: ApiResponse): boolean =>
  ctx.run
    .responsesTo(response.operationId)
    .some(
      (other) =>
        kindOfRequest(ctx, other) === kindOfRequest(ctx, response) &&
        referenceOf(ctx, other) !== referenceOf(ctx, response),
    );

/** The first of some requests of one kind that failed although another one was accepted, with the last such one. */
export function failedThoughAccepted(ctx: CheckContext, twins: readonly ApiResponse[]) {
  const inOrder = twins.toSorted((one, other) => startOf(one) - startOf(other));
  const accepted = inOrder.filter(({ kind }) => kind === "done");
  if (accepted.length === 0) return undefined;
  for (const failed of inOrder) {
    const before = accepted.findLast((other) => endOf(other) <= startOf(failed));
    const other = before ?? accepted.find((one) => showsRejection(failed, one));
    if (other && isFault(ctx, failed, other, inOrder))
      return { failed, other, when: before ? "before" : "at once" };
  }
  return undefined;
}

/** Whether a creation was accepted so soon after its rejection that only chance can have decided. */
const showsRejection = (failed: ApiResponse, accepted: ApiResponse) =>
  failed.operation.effect === "create" && isRejection(failed) && isSoonAfter(failed, accepted);

function isFault(
  ctx: CheckContext,
  failed: ApiResponse,
  accepted: ApiResponse,
  twins: readonly ApiResponse[],
): boolean {
  const isUnwarranted = () => isUnexplained(failed, twins) && !mayBeGone(ctx, failed, accepted);
  if (!isOwnFailure(failed) && !(isRejection(failed) && isUnwarranted())) return false;
  const reference = referenceOf(ctx, failed);
  if (reference === undefined) return true;
  // A form that the run gave up may be rejected, and so may a reference that was used, or is being used. Moments are whole
  // milliseconds, and a quick response may take less than one.
  const end = startOf(failed) + failed.durationMs + 1;
  return ctx.run.builder.isInUsualForm(reference) && !isSentBefore(ctx, failed, reference, end);
}

function isSentBefore(ctx: CheckContext, response: ApiResponse, reference: string, moment: number): boolean {
  const { run } = ctx;
  return [...run.responsesTo(response.operationId), ...run.webPages.passing].some(
    (other) => other !== response && referenceOf(ctx, other) === reference && startOf(other) < moment,
  );
}

/** Whether a request was rejected because its reference, link or code was used already, which no other request had. */
export function isTakenForUsed(ctx: CheckContext, response: ApiResponse): boolean {
  const reference = referenceOf(ctx, response);
  // What a read finds taken, a creation may have taken.
  if (reference === undefined || response.kind !== "rejected" || response.operation.effect === "read")
    return false;
  const end = startOf(response) + response.durationMs + 1;
  if (!ctx.run.builder.isInUsualForm(reference) || isSentBefore(ctx, response, reference, end)) return false;
  const { takes, foundBy } = response.operation;
  const field = takes?.field ?? foundBy?.field ?? "";
  const errors = Object(response.field("errors")) as Readonly<Record<string, unknown>>;
  // What is said about other fields may be about the operator's data.
  if (Object.keys(errors).length > 0) return saysUsed(JSON.stringify(errors[field] ?? ""));
  const [word = field] = /[A-Z]?[a-z]+$/.exec(field) ?? [];
  const isNamed = new RegExp(word, "i").test(response.words) || response.text.includes(reference);
  return isNamed && saysUsed(response.words);
}

/** A 4xx of the service about the content of the request. */
export const isRejection = ({ statusClass, complete, status = 0 }: ApiResponse) =>
  complete && statusClass === 4 && !NOT_ABOUT_CONTENT.includes(status);

function isUnexplained(failed: ApiResponse, twins: readonly ApiResponse[]): boolean {
  const { effect, method, list } = failed.operation;
  // What is created meanwhile changes the response to a question that a POST asks, and a filter may find nothing.
  if (effect === "read") return method === "GET" && !(list && failed.status === 404);
  if (effect !== "money") return true;
  return twins.some((other) => other.kind === "done" && isSoonAfter(failed, other));
}

/**
 * Whether a later page was rejected that may be past the end by now: what a filter found may have left, and an empty list
 * may accept every page.
 */
function mayBeGone({ run }: CheckContext, failed: ApiResponse, accepted: ApiResponse): boolean {
  const query = queryOf(failed);
  const isFiltered = [...query.keys()].some((name) => !/^(limit|page)$/.test(name));
  if (!failed.operation.list?.paged || !(isFiltered || listsNothing(accepted.json))) return false;
  const hasPageZero = run
    .responsesTo(failed.operationId)
    .some((other) => other.kind === "done" && queryOf(other).get("page") === "0");
  return Number(query.get("page")) > (hasPageZero ? 0 : 1);
}

const queryOf = ({ request }: ApiResponse) => new URL(request.path, request.origin).searchParams;

const isSoonAfter = (failed: ApiResponse, other: ApiResponse) =>
  startOf(other) >= endOf(failed) && startOf(other) < endOf(failed) + SOON_MS;

const referenceOf = ({ run }: CheckContext, response: ApiResponse) =>
  run.builder.referenceIn(response.textSent);

const startOf = ({ startedAt }: ApiResponse) => startedAt.getTime();
/** Rounded down, as a moment is written in whole milliseconds: what follows at once is no overlap. */
const endOf = (response: ApiResponse) => Math.floor(startOf(response) + response.durationMs) - 1;

const NO_FIELDS = z.object({});

/** Whether the specification allows the request of a recorded response: names and types of all parameters are documented. */
export const isAllowed = remembered((response: ApiResponse, target: Target): boolean => {
  const { operation, request } = response;
  if (!isReadable(response, target)) return false;
  const { pathname, searchParams } = new URL(request.path, request.origin);
  const route = new RegExp(`${operation.route.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return (
    fits(operation.path, Object.entries(route.exec(pathname)?.groups ?? {})) &&
    fits(operation.query, [...searchParams]) &&
    hasAllowedBody(response)
  );
});

function hasAllowedBody(response: ApiResponse): boolean {
  const { body, multipart, fieldProbes } = response.operation;
  if (!body || fieldProbes === "none") return true;
  if (multipart) return fits(body, partsOf(response, body));
  const parsed = parseJson(Buffer.from(response.textSent));
  return "value" in parsed && strictly(body).safeParse(parsed.value).success;
}

/** The parts of a form that hold a single text; files and arrays may hold anything. */
function partsOf(response: ApiResponse, { shape }: z.ZodObject): [string, string][] {
  const parts = [...response.textSent.matchAll(/name="([^"]+)"\r\n\r\n(.*?)\r\n--/gs)];
  return parts.flatMap(([, name = "", text = ""]): [string, string][] =>
    shape[name] && z.safeParse(shape[name], [text]).success ? [] : [[name, text]],
  );
}

/** Whether each parameter is documented and comes once, with a text that writes a value of its type. */
function fits(schema: z.ZodObject = NO_FIELDS, texts: readonly (readonly [string, string])[]): boolean {
  const values = new Map(texts.map(([name, text]) => [name, writtenIn(schema.shape[name], text)]));
  return values.size === texts.length && strictly(schema).safeParse(Object.fromEntries(values)).success;
}

const strictly = remembered((schema: z.ZodObject) => schema.strict());

/** A text as the value that it writes: itself where a text is documented, or else the number or boolean. */
function writtenIn(field: z.core.$ZodType | undefined, text: string): unknown {
  if (field && z.safeParse(field, text).success) return text;
  const parsed = parseJson(Buffer.from(text));
  return "value" in parsed ? parsed.value : text;
}
