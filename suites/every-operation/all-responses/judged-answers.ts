import { PREFIX, type Target } from "../../../fixtures/engine/config/target.ts";
import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { parseJson } from "../../../fixtures/engine/http/body.ts";
import { Inconclusive, Violation } from "../../../fixtures/engine/http/findings.ts";
import { referenceSent } from "../../../fixtures/engine/http/sent.ts";
import { NOT_ABOUT_CONTENT } from "../../../fixtures/engine/judge/matchers.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { isUndocumented } from "../../../schemas/bodies.ts";
import { documentsSuccess, type OperationId } from "../../../schemas/contract.ts";
import { errorSchema } from "../../../schemas/operation.ts";

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
function isWellFormed(answer: Answer): boolean {
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

/** How many answers with a wrong body a check keeps as evidence. */
const KEPT = 3;

/** A number of answers in words: `1 success`, `44 successes`. */
export const counted = (count: number, direction: Direction) =>
  `${count} ${direction}${count === 1 ? "" : { success: "es", rejection: "s" }[direction]}`;

/** What the judge of a shape found among the recorded answers of an operation. */
export interface Misshapen {
  readonly direction: Direction;
  readonly judged: readonly Answer[];
  /** What is wrong with the first answer, and so on. */
  readonly violations: readonly Violation[];
}

/** The recorded answers in one direction whose body the specification shows. */
export function answersIn(ctx: CheckContext, id: OperationId, direction: Direction): Answer[] {
  const recorded = ctx.run.answersTo(id).filter((answer) => !isFromElsewhere(ctx, id, answer));
  const answers = recorded.map((answer) => ({ answer, as: directionOf(answer, ctx.target) }));
  const isSuccessInWords = wordsOfSuccess(answers.map(({ answer }) => answer));
  return answers.flatMap(({ answer, as }) =>
    (as === "rejection" && isSuccessInWords(answer) ? "success" : as) === direction ? [answer] : [],
  );
}

/** Whether a path was missing because it has the form that this deployment does not use. */
function isFromElsewhere({ run, target }: CheckContext, id: OperationId, { status, request }: Answer) {
  const base = new URL(target.baseUrl).pathname.replace(/\/$/, "");
  const isPrefixed = request.path.slice(base.length).startsWith(`${PREFIX}/api/`);
  return (status === 404 || status === 405) && isPrefixed !== (run.settings.pathForms[id] === "prefixed");
}

/**
 * Recognises a success whose identifier is null: its status is a word that successes have and that not
 * every rejection has. A repeated reference may be answered in the words of the first request.
 */
function wordsOfSuccess(answers: readonly Answer[]): (answer: Answer) => boolean {
  const wordOf = (answer: Answer) => answer.field("status");
  const successes = new Set(answers.filter(({ isSuccess }) => isSuccess).map(wordOf));
  const isTold = answers.some((answer) => !answer.isSuccess && !successes.has(wordOf(answer)));
  const references = answers.map(referenceSent);
  return (answer) => {
    const { success, recordedRejection } = answer.operation;
    if (!isTold || !answer.is2xx || success.has === undefined || answer.field(success.has) !== null)
      return false;
    const isRecord = recordedRejection?.values.some((word) => word === wordOf(answer));
    const isRepeated = references.filter((other) => other === referenceSent(answer)).length > 1;
    return successes.has(wordOf(answer)) && !isRecord && !isRepeated;
  };
}

/** Judges the shape of every recorded answer in one direction; `expectShape` throws a `Violation` if it is wrong. */
export function judgeShapes(
  ctx: CheckContext,
  id: OperationId,
  direction: Direction,
  expectShape: (answer: Answer) => void,
): Misshapen {
  const judged = answersIn(ctx, id, direction);
  const violations = judged.flatMap((answer) => violationIn(() => expectShape(answer)) ?? []);
  return { direction, judged, violations };
}

/**
 * Demands that no answer has the wrong shape, and says how many have. If all have it, `check` may name the check of
 * a single request that fails for the same reason.
 */
export function expectNoneMisshapen(
  ctx: CheckContext,
  { direction, judged, violations }: Misshapen,
  check: string | undefined,
) {
  const [first] = violations;
  if (!first) return;
  if (check && violations.length === judged.length)
    throw new Inconclusive(
      `every ${direction} of this run (${judged.length}) has an undocumented form`,
      check,
    );
  for (const { answer } of violations.slice(0, KEPT)) ctx.note(answer);
  const { answer, actual, expected } = first;
  const query = /\?.*/.exec(answer.request.path)?.[0];
  const share = `returned ${violations.length} of ${counted(judged.length, direction)}`;
  const asked = query ? ` for ${query}` : "";
  throw new Violation(
    answer,
    `${share} in an undocumented form; the first ${actual}${asked}`,
    `${expected} every time`,
  );
}

function violationIn(judge: () => void): Violation | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

/** How sure it must be that a defect would have been seen. */
const CERTAINTY = 0.95;

/**
 * The rarest defect, as "one in this many answers", that `count` judged answers would have shown with 95 % certainty;
 * `undefined` if there are too few answers for any but a defect of every answer.
 */
export function rarestSeen(count: number): number | undefined {
  if (count === 0) return undefined;
  // A defect in one of k answers stays unseen n times with the probability (1 - 1/k)^n.
  const share = 1 - (1 - CERTAINTY) ** (1 / count);
  // Without the last term, a rounding error could lower the result by one.
  return Math.floor(1 / share + 1e-9);
}
