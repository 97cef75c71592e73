import { PREFIX, type Target } from "../../../fixtures/engine/config/target.ts";
import { isReadable } from "../../../fixtures/engine/http/readable.ts";
import { expectSuccessAsDocumented, NOT_ABOUT_CONTENT } from "../../../fixtures/engine/judge/matchers.ts";
import type { Control } from "../../../fixtures/engine/run/control.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  demandBody,
  ifDecided,
  undecided,
  violationIn,
} from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { isUndocumented } from "../../../schemas/bodies.ts";
import {
  contract,
  documentsRejection,
  documentsSuccess,
  type OperationId,
} from "../../../schemas/contract.ts";
import { errorSchema, type Operation } from "../../../schemas/operation.ts";
import { invalidRequests, responseToDefect } from "../requests.ts";

/** What a response says became of its request. */
export type Direction = "success" | "rejection";

/** Statuses that come from something in front of the service unless the body is JSON. */
const IN_FRONT = [403, 404, 405, 406, 411, 413, 414, 415, 429, 431];

/** The documented kind of body that a recorded response must have; `undefined` if the specification shows none. */
export function directionOf(response: ApiResponse, target: Target): Direction | undefined {
  const { complete, kind } = response;
  if (!complete || kind === "unavailable" || !isReadable(response, target)) return undefined;
  if (kind === "done" || kind === "seems done") return isDocumentedSuccess(response) ? "success" : undefined;
  return isDocumentedRejection(response) ? "rejection" : undefined;
}

function isDocumentedSuccess(response: ApiResponse): boolean {
  const { success } = response.operation;
  if (!documentsSuccess(response.operation)) return false;
  // A body may say, with the documented type, that the operation was not carried out.
  const said = success.equals && response.field(success.equals.field);
  return typeof said !== "boolean" || said === success.equals?.value;
}

function isDocumentedRejection(response: ApiResponse): boolean {
  const { operation, status = 0, statusClass, jsonProblem } = response;
  const schema = errorSchema(operation, status);
  if (!schema || isUndocumented(schema)) return false;
  if (jsonProblem && (statusClass === 5 || IN_FRONT.includes(status))) return false;
  const isAboutContent = statusClass === 4 && !NOT_ABOUT_CONTENT.includes(status);
  return !operation.errorBody || statusClass === 2 || isAboutContent;
}

/** How many wrong responses a check keeps as evidence. */
const KEPT = 3;

/** Fails for the first of some wrong responses, if there is one; `actual` ends in words about it. */
export function expectNone(
  ctx: CheckContext,
  wrong: readonly ApiResponse[],
  actual: string,
  expected: string,
) {
  const [first] = wrong;
  if (!first) return;
  for (const response of wrong.slice(0, KEPT)) ctx.note(response);
  const query = /\?.*/.exec(first.request.path)?.[0];
  demand(false, first, `${actual}${query ? ` for ${query}` : ""}`, expected);
}

/** A number of responses in words: `1 success`, `44 successes`. */
export const counted = (count: number, direction: Direction) =>
  direction === "success" && count !== 1 ? `${count} successes` : plural(count, direction);

/** The recorded responses in one direction whose body the specification shows. */
export function responsesIn(ctx: CheckContext, id: OperationId, direction: Direction): ApiResponse[] {
  const recorded = ctx.run.responsesTo(id).filter((response) => !isFromElsewhere(ctx, id, response));
  const responses = recorded.map((response) => ({ response, as: directionOf(response, ctx.target) }));
  const isSuccessInWords = wordsOfSuccess(responses.map(({ response }) => response));
  return responses.flatMap(({ response, as }) =>
    (as === "rejection" && isSuccessInWords(response) ? "success" : as) === direction ? [response] : [],
  );
}

/** Whether a path was missing because it has the form that this deployment does not use. */
function isFromElsewhere({ run, target }: CheckContext, id: OperationId, { status, request }: ApiResponse) {
  const base = new URL(target.baseUrl).pathname.replace(/\/$/, "");
  const isPrefixed = request.path.slice(base.length).startsWith(`${PREFIX}/api/`);
  return (
    (status === 404 || status === 405) && isPrefixed !== (run.settings.found.pathForms[id] === "prefixed")
  );
}

/**
 * Recognises a success whose identifier is null: its status is a word that successes have and that not
 * every rejection has. A repeated reference may get the words of the first request.
 */
function wordsOfSuccess(responses: readonly ApiResponse[]): (response: ApiResponse) => boolean {
  const wordOf = (response: ApiResponse) => response.field("status");
  const successes = new Set(responses.filter(({ kind }) => kind === "done").map(wordOf));
  const isTold = responses.some((response) => response.kind !== "done" && !successes.has(wordOf(response)));
  const references = responses.map(({ referenceSent }) => referenceSent);
  return (response) => {
    const { operation, statusClass } = response;
    const { success, recordedRejection } = operation;
    if (!isTold || statusClass !== 2 || success.has === undefined || response.field(success.has) !== null)
      return false;
    const isRecord = recordedRejection?.values.some((word) => word === wordOf(response));
    const isRepeated = references.filter((other) => other === response.referenceSent).length > 1;
    return successes.has(wordOf(response)) && !isRecord && !isRepeated;
  };
}

/**
 * Demands that every recorded response in one direction has the documented form. Where all are wrong, the check of the
 * ordinary request fails for the same reason if its response, `control`, is one of them. Returns how many were judged.
 */
export async function expectShapes(
  ctx: CheckContext,
  id: OperationId,
  direction: Direction,
  control?: ApiResponse,
): Promise<number> {
  const judged = responsesIn(ctx, id, direction);
  const expectShape = direction === "success" ? expectSuccessAsDocumented : demandBody;
  const found = await Promise.all(judged.map((response) => violationIn(() => expectShape(response))));
  const violations = found.flatMap((violation) => violation ?? []);
  const wrong = violations.map(({ response }) => response);
  if (control && wrong.includes(control) && wrong.length === judged.length)
    undecided(`every ${direction} of this run (${judged.length}) has an undocumented form`, `${id}/accepted`);
  const share = `returned ${violations.length} of ${counted(judged.length, direction)}`;
  const actual = `${share} in an undocumented form; the first ${violations[0]?.actual}`;
  expectNone(ctx, wrong, actual, `${violations[0]?.expected} every time`);
  return judged.length;
}

/** This many responses show, with 95 % certainty, a defect of one in seven. */
const ENOUGH = 20;
const AT_ONCE = 4;
/** Stop collecting responses of an operation after this many bytes: reading is free only while they are small. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The responses of the operation in this run; its ordinary request is sent first. */
export async function responsesOf(ctx: CheckContext, id: OperationId): Promise<readonly ApiResponse[]> {
  const { notTested } = await enoughResponses(ctx, id);
  const responses = ctx.run.responsesTo(id).filter(({ status }) => status !== undefined);
  if (responses.length === 0) throw notTested ?? undecided("no response arrived");
  return responses;
}

/**
 * The control of the operation; once per run, a read is sent, as it is accepted and as it is rejected, until there are
 * enough responses of both kinds to judge, since reading is free and some defects show only now and then.
 */
export async function enoughResponses(ctx: CheckContext, id: OperationId): Promise<Control> {
  const control = await ctx.control(id);
  const operation: Operation = contract[id];
  if (operation.effect !== "read" || !documentsSuccess(operation) || !control.accepted) return control;
  await ctx.run.once(`enough responses/${id}`, async () => {
    const draft = ctx.draft(id);
    await sendUntilEnough(ctx, id, "success", () =>
      ctx.send(id, {}, { draft, retry: false, mayBeBusy: true }),
    );
    const [defect] = documentsRejection(operation) ? invalidRequests(operation) : [];
    const rejected = defect && (await ifDecided(responseToDefect(ctx, id, defect)));
    if (defect && rejected?.kind === "rejected")
      await sendUntilEnough(ctx, id, "rejection", () =>
        ctx.sendInvalid(id, defect.change, { retry: false, mayBeBusy: true }),
      );
  });
  return control;
}

async function sendUntilEnough(
  ctx: CheckContext,
  id: OperationId,
  direction: Direction,
  send: () => Promise<ApiResponse>,
) {
  const read = () => ctx.run.responsesTo(id).reduce((sum, { bytes }) => sum + bytes.length, 0);
  let missing = ENOUGH - responsesIn(ctx, id, direction).length;
  while (missing > 0 && read() < MOST_BYTES) {
    const count = read() > MOST_BYTES / AT_ONCE ? 1 : Math.min(missing, AT_ONCE);
    missing -= count;
    const responses = await Promise.all(Array.from({ length: count }, send));
    // One of another kind is judged as it is.
    if (!responses.every(({ kind }) => (kind === "done") === (direction === "success"))) return;
  }
}

/** The accepted responses to requests that no other request of the run repeats. */
export function differentRequests(responses: readonly ApiResponse[]): ApiResponse[] {
  const times = groupBy(responses, (response) => response.textSent);
  return responses.filter(({ kind, textSent }) => kind === "done" && times.get(textSent)?.length === 1);
}

/** Demands that no two responses have the same value; throws `Inconclusive` if fewer than two have one. */
export function expectDifferent(
  ctx: CheckContext,
  responses: readonly ApiResponse[],
  read: (response: ApiResponse) => string | undefined,
  { repeated, expected, none }: { repeated: (value: string) => string; expected: string; none: () => never },
) {
  const known = new Map<string, ApiResponse>();
  for (const response of responses) {
    const value = read(response);
    if (value === undefined) continue;
    const other = known.get(value);
    if (other) ctx.note(other);
    ctx.note(response);
    demand(!other, response, repeated(value), expected, other && [other]);
    known.set(value, response);
  }
  if (known.size < 2) none();
}

/** Judges one response. */
export type Judge = (response: ApiResponse, ctx: CheckContext) => void;

/** Judges every response that the operation gave in this run. */
export async function judgeResponses(ctx: CheckContext, id: OperationId, judge: Judge) {
  for (const response of await responsesOf(ctx, id)) {
    try {
      judge(response, ctx);
    } catch (error) {
      ctx.note(response);
      throw error;
    }
  }
}
