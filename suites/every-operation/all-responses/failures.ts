import { z } from "zod";
import type { Target } from "../../../fixtures/engine/config/target.ts";
import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { parseJson } from "../../../fixtures/engine/http/body.ts";
import { textSent } from "../../../fixtures/engine/http/sent.ts";
import { NOT_ABOUT_CONTENT, operationOf } from "../../../fixtures/engine/judge/matchers.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { isReadable, sent } from "./answers.ts";

/** A payment that is accepted so soon after its twin was rejected meets no limit, and no rule against duplicates. */
const SOON_MS = 1_000;

/** Whether the service itself failed: a 502, 503 or 504 without JSON may come from something in front of it. */
export const isOwnFailure = (answer: Answer): boolean =>
  answer.isServerError &&
  !answer.isThrottled &&
  (!answer.jsonProblem || ![502, 504].includes(answer.status ?? 0));

/** What two requests have in common that differ only in a value that the suite makes up for each. */
export function kindOfRequest(ctx: CheckContext, answer: Answer): string {
  const { method, path } = answer.request;
  const boundary = /boundary=(.*)/.exec(sent(answer, "content-type").join())?.[1];
  const text = [referenceOf(ctx, answer), boundary]
    .filter((part) => part !== undefined)
    .reduce((rest, part) => rest.replaceAll(part, "[NEW]"), textSent(answer));
  return [method, path, sent(answer, "authorization").join(), text].join(" ");
}

/** Whether the run has sent a request of the same kind with another value of its own. */
export const hasTwin = (ctx: CheckContext, answer: Answer): boolean =>
  ctx.run
    .answersTo(operationOf(answer))
    .some(
      (other) =>
        kindOfRequest(ctx, other) === kindOfRequest(ctx, answer) &&
        referenceOf(ctx, other) !== referenceOf(ctx, answer),
    );

/** The first of some requests of one kind that failed although another one was accepted, with that one. */
export function failedThoughAccepted(ctx: CheckContext, twins: readonly Answer[]) {
  const inOrder = twins.toSorted((one, other) => startOf(one) - startOf(other));
  const accepted = inOrder.filter(({ isSuccess }) => isSuccess);
  if (accepted.length === 0) return undefined;
  for (const failed of inOrder) {
    const before = accepted.find((other) => endOf(other) <= startOf(failed));
    const other = before ?? accepted.find((one) => showsRejection(failed, one));
    if (other && isFault(ctx, failed, inOrder)) return { failed, other, when: before ? "before" : "at once" };
  }
  return undefined;
}

/** Whether a creation was accepted so soon after its rejection that only chance can have decided. */
const showsRejection = (failed: Answer, accepted: Answer) =>
  failed.operation.effect === "create" && isRejection(failed) && isSoonAfter(failed, accepted);

function isFault(ctx: CheckContext, failed: Answer, twins: readonly Answer[]): boolean {
  if (!isOwnFailure(failed) && !(isRejection(failed) && isUnexplained(failed, twins))) return false;
  const reference = referenceOf(ctx, failed);
  const same = twins.filter((other) => other !== failed && referenceOf(ctx, other) === reference);
  if (reference === undefined) return true;
  // A form that the run gave up may be rejected, and so may a reference that was used, or is being used.
  const isUsed = same.some((other) => startOf(other) < endOf(failed));
  return ctx.run.builder.isInUsualForm(reference) && !isUsed;
}

/** A 4xx of the service about the content of the request. */
const isRejection = ({ is4xx, complete, status = 0 }: Answer) =>
  complete && is4xx && !NOT_ABOUT_CONTENT.includes(status);

/** Whether nothing that happened meanwhile explains why a valid request was rejected. */
function isUnexplained(failed: Answer, twins: readonly Answer[]): boolean {
  const { effect, method, list } = failed.operation;
  // What is created meanwhile changes the answer to a question that a POST asks, and a filter may find nothing.
  if (effect === "read") return method === "GET" && !(list && failed.status === 404);
  if (effect !== "money") return true;
  return twins.some((other) => other.isSuccess && isSoonAfter(failed, other));
}

const isSoonAfter = (failed: Answer, other: Answer) =>
  startOf(other) >= endOf(failed) && startOf(other) < endOf(failed) + SOON_MS;

const referenceOf = ({ run }: CheckContext, answer: Answer) => run.builder.referenceIn(textSent(answer));

const startOf = ({ startedAt }: Answer) => startedAt.getTime();
/** Rounded down, as a moment is written in whole milliseconds: what follows at once is no overlap. */
const endOf = (answer: Answer) => Math.floor(startOf(answer) + answer.durationMs) - 1;

/** Answers that were judged, and the schemas that allow no other fields: both are needed several times in a run. */
const judged = new WeakMap<Answer, boolean>();
const strictOnes = new WeakMap<z.ZodObject, z.ZodObject>();
const NO_FIELDS = z.object({});

/** Whether the specification allows the request of a recorded answer: names and types of all parameters are documented. */
export function isAllowed(answer: Answer, target: Target): boolean {
  const known = judged.get(answer) ?? judge(answer, target);
  judged.set(answer, known);
  return known;
}

function judge(answer: Answer, target: Target): boolean {
  const { operation, request } = answer;
  if (!isReadable(answer, target)) return false;
  const { pathname, searchParams } = new URL(request.path, request.origin);
  const route = new RegExp(`${operation.route.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return (
    fits(operation.path, Object.entries(route.exec(pathname)?.groups ?? {})) &&
    fits(operation.query, [...searchParams]) &&
    hasAllowedBody(answer)
  );
}

function hasAllowedBody(answer: Answer): boolean {
  const { body, multipart, fieldProbes } = answer.operation;
  if (!body || fieldProbes === "none") return true;
  if (multipart) return fits(body, partsOf(answer, body));
  const parsed = parseJson(Buffer.from(textSent(answer)));
  return "value" in parsed && strictly(body).safeParse(parsed.value).success;
}

/** The parts of a form that hold a single text; files and arrays may hold anything. */
function partsOf(answer: Answer, { shape }: z.ZodObject): [string, string][] {
  const parts = [...textSent(answer).matchAll(/name="([^"]+)"\r\n\r\n(.*?)\r\n--/gs)];
  return parts.flatMap(([, name = "", text = ""]): [string, string][] =>
    shape[name] && z.safeParse(shape[name], [text]).success ? [] : [[name, text]],
  );
}

/** Whether each parameter is documented and comes once, with a text that writes a value of its type. */
function fits(schema: z.ZodObject = NO_FIELDS, texts: readonly (readonly [string, string])[]): boolean {
  const values = new Map(texts.map(([name, text]) => [name, writtenIn(schema.shape[name], text)]));
  return values.size === texts.length && strictly(schema).safeParse(Object.fromEntries(values)).success;
}

function strictly(schema: z.ZodObject): z.ZodObject {
  const strict = strictOnes.get(schema) ?? schema.strict();
  strictOnes.set(schema, strict);
  return strict;
}

/** A text as the value that it writes: itself where a text is documented, or else the number or boolean. */
function writtenIn(field: z.core.$ZodType | undefined, text: string): unknown {
  if (field && z.safeParse(field, text).success) return text;
  const parsed = parseJson(Buffer.from(text));
  return "value" in parsed ? parsed.value : text;
}
