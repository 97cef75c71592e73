import { mismatch } from "../../../fixtures/engine/http/wording.ts";
import { documentedSuccess } from "../../../fixtures/engine/judge/matchers.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  ifDecided,
  undecided,
  Violation,
} from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { isUndocumented } from "../../../schemas/bodies.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import {
  errorSchemas,
  listedStatuses,
  listsNoServerError,
  type Operation,
} from "../../../schemas/operation.ts";
import { invalidRequests, responsesToDefects } from "../requests.ts";
import {
  failedThoughAccepted,
  hasTwin,
  isAllowed,
  isOwnFailure,
  isRejection,
  isTakenForUsed,
  kindOfRequest,
} from "./failures.ts";
import { enoughResponses, expectNone } from "./recorded.ts";

/** A server error that is no accident: the same request met another one, or was accepted. */
export interface CertainError {
  readonly failed: ApiResponse;
  readonly again: ApiResponse;
}

/** How many different requests of an operation are sent again at most. */
const MOST_REPEATED = 12;

/**
 * The server errors of the operation that are certain, one for each kind of request, found out once per run. A request
 * that no other one of the run repeats is sent again, if that moves no further money.
 */
export const certainErrors = (ctx: CheckContext, id: OperationId): Promise<readonly CertainError[]> =>
  ctx.run.once(`server errors/${id}`, async () => {
    const readable = ctx.run.responsesTo(id).filter((response) => ctx.couldRead(response));
    const kinds = [...groupBy(readable, (response) => kindOfRequest(ctx, response)).values()];
    const failing = kinds.filter((twins) => twins.some(isFailure) && !isFlaky(twins));
    const known = failing.flatMap((twins) => knownError(ctx, twins) ?? []);
    const open = failing.filter((twins) => !known.some(({ failed }) => twins.includes(failed)));
    const asked = open.flatMap((twins) => twins.find(isFailure) ?? []);
    const repeated: CertainError[] = [];
    for (const failed of asked.filter((one) => mayBeSentAgain(ctx, one)).slice(0, MOST_REPEATED)) {
      const found = await errorOfRepeat(ctx, failed);
      if (found) repeated.push(found);
    }
    return [...known, ...repeated];
  });

const isFailure = (response: ApiResponse) => isOfService(response) || isUnavailable(response);

/** A gateway writes 502 and 504 in JSON too. */
const isOfService = (response: ApiResponse) =>
  isOwnFailure(response) && response.status !== 502 && response.status !== 504;

/** An error among successes of the same read is left to `answers/steady`. */
const isFlaky = (twins: readonly ApiResponse[]) =>
  twins.some(({ operation, kind }) => operation.effect === "read" && kind === "done");

function knownError(ctx: CheckContext, twins: readonly ApiResponse[]): CertainError | undefined {
  const [down, stillDown] = twins.filter((response) => isDownAlone(ctx, response));
  if (down && stillDown) return { failed: down, again: stillDown };
  const [failed, second] = twins.filter(isOfService);
  if (!failed) return undefined;
  const again = second ?? twins.find((other) => other.kind === "done" && other.startedAt > failed.startedAt);
  return again && { failed, again };
}

/** Whether a request that failed may be sent again: a payment only if its reference, or what is wrong with it, prevents a second one. */
function mayBeSentAgain(ctx: CheckContext, response: ApiResponse): boolean {
  const { effect, takes } = response.operation;
  if (effect !== "money") return true;
  const hasReference = takes !== undefined && response.fieldSent(takes.field) !== undefined;
  return hasReference || !isAllowed(response, ctx.target);
}

async function errorOfRepeat(ctx: CheckContext, failed: ApiResponse): Promise<CertainError | undefined> {
  const again = await ifDecided(ctx.sendAgain(failed));
  if (!again) return undefined;
  const isDown = isUnavailable(failed) && isUnavailable(again);
  const isCertain = isDown
    ? await isAnswered(ctx, failed.operationId)
    : isOfService(again) || (again.kind === "done" && failed.operation.effect !== "read");
  return isCertain ? { failed, again } : undefined;
}

/** A 503 of the service itself, which does not say when to come back. */
const isUnavailable = (response: ApiResponse) =>
  response.complete &&
  response.status === 503 &&
  response.header("retry-after") === undefined &&
  !response.jsonProblem;

async function isAnswered(ctx: CheckContext, id: OperationId): Promise<boolean> {
  const other = operations.find(
    (one) => one.id !== id && one.effect === "read" && ctx.missing(one.id).length === 0,
  );
  const response = other && (await ifDecided(ctx.send(other.id, {}, { retry: false })));
  return response?.complete === true && response.statusClass !== 5;
}

/** So many times in a row, and for so long, no busy service turns one operation away while it answers the others. */
const IN_A_ROW = 5;
const LEAST_MS = 1_000;

/** Whether a 503 is one of many in a row of its operation, while others were answered: this operation alone is down. */
function isDownAlone(ctx: CheckContext, response: ApiResponse): boolean {
  const row = rowsOfUnavailable(ctx, response.operationId).find((one) => one.includes(response)) ?? [];
  const [first, last] = [row[0], row.at(-1)];
  if (!first || !last || row.length < IN_A_ROW) return false;
  const isLong = last.startedAt.getTime() - first.startedAt.getTime() >= LEAST_MS;
  const answered = ctx.run.allResponses
    .filter(
      ({ operation, startedAt }) =>
        operation.id !== first.operation.id && startedAt >= first.startedAt && startedAt <= last.startedAt,
    )
    .filter(({ complete, statusClass }) => complete && statusClass !== 5);
  return isLong && answered.length >= IN_A_ROW;
}

/** The 503s of an operation between which it gave no other response. */
function rowsOfUnavailable(ctx: CheckContext, id: OperationId): ApiResponse[][] {
  const inOrder = ctx.run
    .responsesTo(id)
    .filter((response) => ctx.couldRead(response))
    .toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
  const rows: ApiResponse[][] = [[]];
  for (const response of inOrder)
    if (isUnavailable(response)) rows.at(-1)?.push(response);
    else rows.push([]);
  return rows;
}

/** The responses that `answers/listed-status` does not judge; throws `Inconclusive` if it judges all of these. */
export async function withoutCertain(ctx: CheckContext, id: OperationId, failed: readonly ApiResponse[]) {
  if (!listsNoServerError(contract[id])) return failed;
  const certain = await certainErrors(ctx, id);
  const kinds = new Set(certain.map((one) => kindOfRequest(ctx, one.failed)));
  const others = failed.filter((response) => !kinds.has(kindOfRequest(ctx, response)));
  if (failed.length > 0 && others.length === 0)
    undecided("every server error is one that section 7 does not list", `${id}/answers/listed-status`);
  return others;
}

/** Demands that section 7 lists every server error that is no accident. */
export async function expectNoCertainError(ctx: CheckContext, id: OperationId) {
  const certain = await certainErrors(ctx, id);
  const [first] = certain;
  if (!first) return;
  const { failed, again } = first;
  const others = certain.length > 1 ? `, and to ${plural(certain.length - 1, "other kind")} of request` : "";
  const actual = `${failed.outcome}, and ${again.status} when the request was sent again${others}`;
  for (const one of certain.slice(1, 3)) ctx.note(one.failed);
  demand(false, failed, actual, rowOf(id), [again]);
}

function rowOf(id: OperationId): string {
  const statuses = listedStatuses(contract[id])?.join(" or ");
  return `${statuses}: section 7 lists no other status for this operation (${id})`;
}

/**
 * Demands that a request with the documented fields and types that the service rejects gets a status or a body of those that
 * section 7 lists, if all requests with other fields or types do: then its own form of rejections is the documented one. What
 * a read does not find may be rejected otherwise (G14), and so may every invalid request of a deployment (N39).
 */
export function expectNoForeignRejection(ctx: CheckContext, id: OperationId) {
  const { effect, responses }: Operation = contract[id];
  const listed = [400, 422].filter((status) => status in responses && !isUndocumented(responses[status]));
  if (effect === "read" || listed.length === 0) return;
  const rejections = ctx.run.responsesTo(id).filter((response) => {
    return isRejection(response) && !response.jsonProblem && ctx.couldRead(response);
  });
  const isListed = ({ status = 0, asDocumented }: ApiResponse) => listed.includes(status) && asDocumented;
  const isForeign = (response: ApiResponse) =>
    !((response.status ?? 0) in responses) &&
    errorSchemas(response.operation).every((schema) => mismatch(schema, response) !== undefined);
  const usual = rejections.filter((response) => !isAllowed(response, ctx.target));
  const foreign = rejections.find((response) => isAllowed(response, ctx.target) && isForeign(response));
  if (!foreign || !usual[0] || !usual.every(isListed)) return;
  const actual = `${foreign.outcome} with a body that is not documented, although it rejects other requests with ${usual[0].status} and the documented one`;
  demand(false, foreign, actual, rowOf(id), [usual[0]]);
}

/** The responses to all requests of the run that the specification allows; throws the reason if there are none. */
export async function allowedRequests(ctx: CheckContext, id: OperationId): Promise<ApiResponse[]> {
  const { notTested } = await enoughResponses(ctx, id);
  const allowed = ctx.run.responsesTo(id).filter((response) => isAllowed(response, ctx.target));
  if (allowed.length > 0) return allowed;
  throw notTested ?? undecided("no request that the specification allows was sent");
}

/** Demands that none of these responses is there: they are server errors, or no responses at all. */
export function expectNoFailure(ctx: CheckContext, failed: readonly ApiResponse[], requests: string) {
  const errors = failed.filter(({ isServerError }) => isServerError).length;
  const silent = failed.length - errors;
  const parts = [errors && plural(errors, "server error"), silent && `no response to ${silent}`];
  const found = parts.filter((part) => part !== 0).join(" and ");
  const first = failed[0]?.outcome;
  expectNone(ctx, failed, `gave ${found} in ${requests}; the first ${first}`, "none");
}

function failRefused(failed: ApiResponse, accepted: ApiResponse, when: string): never {
  const actual = `${failed.outcome} to a valid request, and accepted the same request ${when}`;
  throw new Violation(failed, actual, documentedSuccess(failed), [accepted]);
}

/**
 * Tells a listed 500 with which the API rejects from a crash: most kinds of invalid requests get the same, or the same
 * members and a text that names a field of the operation. A request of allowed types may be rejected too, such as a second
 * refund.
 */
export async function rejectionWith500(ctx: CheckContext, id: OperationId, allowed: readonly ApiResponse[]) {
  const isListed = (response: ApiResponse) =>
    500 in contract[id].responses && response.complete && response.status === 500;
  // A busy gateway may have put off those that other checks sent.
  if (allowed.some(isListed)) await ifDecided(responsesToDefects(ctx, id, invalidRequests(contract[id])));
  const sent = ctx.run
    .responsesTo(id)
    .filter((response) => response.kind !== "unavailable" && ctx.couldRead(response))
    .filter((response) => !isAllowed(response, ctx.target));
  // A check may send one kind of them many times.
  const kinds = groupBy(sent, (response) => kindOfRequest(ctx, response));
  const invalid = [...kinds.values()].flatMap(([first]) => first ?? []);
  const namesIn = ({ json }: ApiResponse) => JSON.stringify(Object.keys(Object(json)));
  const { body }: Operation = contract[id];
  const field = new RegExp(`\\b(${Object.keys(body?.shape ?? {}).join("|")})\\b`);
  const namesField = ({ words }: ApiResponse) => body !== undefined && field.test(words);
  return (response: ApiResponse): boolean => {
    if (!isListed(response)) return false;
    const isSame = (one: ApiResponse) =>
      one.fingerprint === response.fingerprint ||
      (namesField(response) && namesIn(one) === namesIn(response));
    const alike = invalid.filter((one) => isListed(one) && isSame(one));
    return 2 * alike.length > invalid.length;
  };
}

/** Demands that no request was rejected, or met an error, that was accepted at another time. */
export async function expectSteady(ctx: CheckContext, id: OperationId) {
  const { response: control, accepted: isAccepted } = await ctx.control(id);
  if (control && isAccepted && contract[id].effect === "create" && !hasTwin(ctx, control))
    await ctx.send(id, {}, { retry: false, mayBeBusy: true });
  const allowed = await allowedRequests(ctx, id);
  const used = ctx.run.responsesTo(id).find((response) => isTakenForUsed(ctx, response));
  const actual = `${used?.outcome} because a value had been used, although the suite had made it up for this request`;
  const accepted = allowed.filter(({ kind }) => kind === "done").slice(0, 1);
  if (used) demand(false, used, actual, "a value that is new to be taken for new", accepted);
  const kinds = groupBy(allowed, (response) => kindOfRequest(ctx, response));
  for (const twins of kinds.values()) {
    const found = failedThoughAccepted(ctx, twins);
    if (found) failRefused(found.failed, found.other, found.when);
  }
  for (const { operation: varied, response, plain } of ctx.run.varied)
    if (varied === id && isOwnFailure(response) && plain?.kind === "done")
      failRefused(response, plain, "in its ordinary form");
}
