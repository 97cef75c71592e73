import {
  type ApiResponse,
  type CheckContext,
  demand,
  ifDecided,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import { listedStatuses, listsNoServerError } from "../../../schemas/operation.ts";
import { isAllowed, isOwnFailure, kindOfRequest } from "./failures.ts";

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
    const failing = kinds.filter((twins) => twins.some(isOfService) && !isFlaky(twins));
    const known = failing.flatMap((twins) => knownError(twins) ?? []);
    const open = failing.filter((twins) => !known.some(({ failed }) => twins.includes(failed)));
    const asked = open.flatMap((twins) => twins.find(isOfService) ?? []);
    const repeated: CertainError[] = [];
    for (const failed of asked.filter((one) => mayBeSentAgain(ctx, one)).slice(0, MOST_REPEATED)) {
      const found = await errorOfRepeat(ctx, failed);
      if (found) repeated.push(found);
    }
    return [...known, ...repeated];
  });

/** A gateway writes 502 and 504 in JSON too. */
const isOfService = (response: ApiResponse) =>
  isOwnFailure(response) && response.status !== 502 && response.status !== 504;

/** An error among successes of the same read is left to `answers/steady`. */
const isFlaky = (twins: readonly ApiResponse[]) =>
  twins.some(({ operation, kind }) => operation.effect === "read" && kind === "done");

/** What the recorded responses to equal requests show. */
function knownError(twins: readonly ApiResponse[]): CertainError | undefined {
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

/** Sends a request again that failed once. */
async function errorOfRepeat(ctx: CheckContext, failed: ApiResponse): Promise<CertainError | undefined> {
  const again = await ifDecided(ctx.sendAgain(failed));
  const isCertain =
    again && (isOfService(again) || (again.kind === "done" && failed.operation.effect !== "read"));
  return isCertain ? { failed, again } : undefined;
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

/** The row of the operation in section 7, in words. */
function rowOf(id: OperationId): string {
  const statuses = listedStatuses(contract[id])?.join(" or ");
  return `${statuses}: section 7 lists no other status for this operation (${id})`;
}
