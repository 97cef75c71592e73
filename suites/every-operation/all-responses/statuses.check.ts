import { Inconclusive, ifDecided, Violation } from "../../../fixtures/engine/http/findings.ts";
import { hasNoValidKey, isReadable } from "../../../fixtures/engine/http/readable.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { mismatch } from "../../../fixtures/engine/http/wording.ts";
import { documentedSuccess, NOT_ABOUT_CONTENT } from "../../../fixtures/engine/judge/matchers.ts";
import { checksIn } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf, requireControl } from "../../../fixtures/engine/run/control.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { isUndocumented } from "../../../schemas/bodies.ts";
import { contract, type OperationId, operations, statusRequirement } from "../../../schemas/contract.ts";
import {
  errorSchemas,
  listedStatuses,
  listsNoServerError,
  type Operation,
} from "../../../schemas/operation.ts";
import { responseTo } from "../authentication/credentials.ts";
import { invalidRequests, responseToDefect } from "../statuses-and-bodies/requests.ts";
import {
  failedThoughAccepted,
  hasTwin,
  isAllowed,
  isOwnFailure,
  isTakenForUsed,
  kindOfRequest,
} from "./failures.ts";
import { enoughResponses, expectNone, responsesOf } from "./recorded.ts";
import { certainErrors, withoutCertain } from "./server-errors.ts";

const check = checksIn("late");

// The statuses of all responses of the run, whichever check asked for them, also those to simultaneous requests.
for (const operation of operations) {
  const { id, noun, effect, requirements, responses } = operation;
  const { recordedRejection, singleUse, fieldProbes, takes } = operation;

  if (listsNoServerError(operation)) {
    const title = "returns a status of its row in section 7 to every readable request with a valid key";
    check(`${id}/answers/listed-status`, title, { must: ["R111"] }, async (ctx) => {
      await responsesOf(ctx, id);
      // In a run of all checks, these have been sent before.
      await Promise.all(invalidRequests(operation).map((one) => ifDecided(responseToDefect(ctx, id, one))));
      expectNoCertainError(ctx, id, await certainErrors(ctx, id));
      expectNoForeignRejection(ctx, id);
    });
  }

  const noError =
    "responds in time and without a server error to every request that the specification allows";
  check(`${id}/answers/no-server-error`, noError, { critical: "practice" }, async (ctx) => {
    const allowed = await allowedRequests(ctx, id);
    const isRejection = rejectionWith500(ctx, id);
    const failed = allowed.filter(
      (response) =>
        (response.isServerError || response.isUnanswered) &&
        !isRejection(response) &&
        !ctx.run.webPages.mayPass(response),
    );
    const left = await withoutCertain(ctx, id, failed);
    expectNoFailure(ctx, left, `${plural(allowed.length, "request")} that the specification allows`);
  });

  const defects = invalidRequests(operation);
  if (defects.length > 0) {
    const title = "does not crash on invalid requests";
    check(`${id}/rejections/no-crash`, title, { should: "practice" }, async (ctx) => {
      // In a run of all checks, these have been sent before.
      const sent = await Promise.all(defects.map((defect) => responseToDefect(ctx, id, defect)));
      const others = ctx.run
        .responsesTo(id)
        .filter((response) => isReadable(response, ctx.target) && !isAllowed(response, ctx.target));
      const invalid = [...new Set([...sent, ...others])];
      const failed = invalid.filter((response) => response.isServerError || response.isUnanswered);
      const left = await withoutCertain(ctx, id, failed);
      expectNoFailure(ctx, left, `${plural(invalid.length, "invalid request")}`);
    });
  }

  if (401 in responses) {
    const title = "returns no server error for a request without a valid key";
    const must = ["R003", ...(requirements.authentication ?? [])] as const;
    check(`${id}/answers/no-server-error-without-key`, title, { must }, async (ctx) => {
      await responseTo(ctx, id, "no-header", { authorization: null });
      const keyless = ctx.run.responsesTo(id).filter((response) => hasNoValidKey(response, ctx.target));
      const failed = keyless.filter(isOwnFailure);
      expectNoFailure(ctx, failed, `${plural(keyless.length, "request")} without a valid key`);
    });
  }

  // The suite sends an undocumented request once, and what serves once, or looks like a duplicate, may be rejected.
  const mayBeDuplicate = effect === "money" && !recordedRejection && !takes;
  if (singleUse || fieldProbes === "none" || mayBeDuplicate) continue;
  const steady = `goes on accepting ${noun} that it accepted before`;
  check(`${id}/answers/steady`, steady, { must: [statusRequirement(operation)] }, async (ctx) => {
    const { response: control, accepted } = await controlOf(ctx, id);
    if (control && accepted && effect === "create" && !hasTwin(ctx, control))
      await ctx.send(id, {}, { retry: false });
    const allowed = await allowedRequests(ctx, id);
    const used = ctx.run.responsesTo(id).find((response) => isTakenForUsed(ctx, response));
    if (used) throw takenForUsed(used, allowed);
    const kinds = groupBy(allowed, (response) => kindOfRequest(ctx, response));
    for (const twins of kinds.values()) {
      const found = failedThoughAccepted(ctx, twins);
      if (found) throw refused(found.failed, found.other, found.when);
    }
    for (const { operation: varied, response, plain } of ctx.run.varied)
      if (varied === id && isOwnFailure(response) && plain?.isSuccess)
        throw refused(response, plain, "in its ordinary form");
    // Only now, so that the other requests are judged even if the ordinary one was rejected.
    await requireControl(ctx, id);
  });
}

function expectNoCertainError(
  ctx: CheckContext,
  id: OperationId,
  certain: Awaited<ReturnType<typeof certainErrors>>,
) {
  const [first] = certain;
  if (!first) return;
  const { failed, again } = first;
  const others = certain.length > 1 ? `, and to ${plural(certain.length - 1, "other kind")} of request` : "";
  const actual = `${failed.outcome}, and ${again.status} when the request was sent again${others}`;
  for (const one of certain.slice(1, 3)) ctx.note(one.failed);
  throw new Violation(failed, actual, rowOf(id), [again]);
}

/** The row of the operation in section 7, in words. */
function rowOf(id: OperationId): string {
  const statuses = listedStatuses(contract[id])?.join(" or ");
  return `${statuses}: section 7 lists no other status for this operation (${contract[id].summary})`;
}

/**
 * Demands that a request with the documented fields and types that the service rejects gets a status or a body of those that
 * section 7 lists, if all requests with other fields or types do: then its own form of rejections is the documented one. What
 * a read does not find may be rejected otherwise (G14), and so may every invalid request of a deployment (N39).
 */
function expectNoForeignRejection(ctx: CheckContext, id: OperationId) {
  const { effect, responses }: Operation = contract[id];
  const listed = [400, 422].filter((status) => status in responses && !isUndocumented(responses[status]));
  if (effect === "read" || listed.length === 0) return;
  const rejections = ctx.run.responsesTo(id).filter((response) => {
    const { complete, is4xx, jsonProblem, status = 0 } = response;
    const isOfService = complete && is4xx && !jsonProblem && !NOT_ABOUT_CONTENT.includes(status);
    return isOfService && isReadable(response, ctx.target);
  });
  const isListed = ({ status = 0, isDocumentedError }: ApiResponse) =>
    listed.includes(status) && isDocumentedError;
  const isForeign = (response: ApiResponse) =>
    !((response.status ?? 0) in responses) &&
    errorSchemas(response.operation).every((schema) => mismatch(schema, response) !== undefined);
  const usual = rejections.filter((response) => !isAllowed(response, ctx.target));
  const foreign = rejections.find((response) => isAllowed(response, ctx.target) && isForeign(response));
  if (!foreign || !usual[0] || !usual.every(isListed)) return;
  const actual = `${foreign.outcome} with a body that is not documented, although it rejects other requests with ${usual[0].status} and the documented one`;
  throw new Violation(foreign, actual, rowOf(id), [usual[0]]);
}

/** The responses to all requests of the run that the specification allows; throws the reason if there are none. */
async function allowedRequests(ctx: CheckContext, id: OperationId): Promise<ApiResponse[]> {
  const { notTested } = await enoughResponses(ctx, id);
  const allowed = ctx.run.responsesTo(id).filter((response) => isAllowed(response, ctx.target));
  if (allowed.length > 0) return allowed;
  throw notTested ?? new Inconclusive("no request that the specification allows was sent");
}

function expectNoFailure(ctx: CheckContext, failed: readonly ApiResponse[], requests: string) {
  const errors = failed.filter(({ isServerError }) => isServerError).length;
  const silent = failed.length - errors;
  const parts = [errors && plural(errors, "server error"), silent && `no response to ${silent}`];
  const found = parts.filter((part) => part !== 0).join(" and ");
  const first = failed[0]?.outcome;
  expectNone(ctx, failed, `gave ${found} in ${requests}; the first ${first}`, "none");
}

const takenForUsed = (response: ApiResponse, allowed: readonly ApiResponse[]) =>
  new Violation(
    response,
    `${response.outcome} because a value had been used, although the suite had made it up for this request`,
    "a value that is new to be taken for new",
    allowed.filter(({ isSuccess }) => isSuccess).slice(0, 1),
  );

const refused = (failed: ApiResponse, accepted: ApiResponse, when: string) =>
  new Violation(
    failed,
    `${failed.outcome} to a valid request, and accepted the same request ${when}`,
    documentedSuccess(failed),
    [accepted],
  );

/**
 * Tells a listed 500 with which the API rejects from a crash: most invalid requests get the same, or the same members and a
 * text that names a field of the operation. A request of allowed types may be rejected too, such as a second refund.
 */
function rejectionWith500(ctx: CheckContext, id: OperationId): (response: ApiResponse) => boolean {
  const invalid = ctx.run
    .responsesTo(id)
    .filter((response) => isReadable(response, ctx.target) && !isAllowed(response, ctx.target));
  const isListed = (response: ApiResponse) =>
    500 in contract[id].responses && response.complete && response.status === 500;
  const membersOf = ({ json }: ApiResponse) => JSON.stringify(Object.keys(Object(json)));
  const { body }: Operation = contract[id];
  const field = new RegExp(`\\b(${Object.keys(body?.shape ?? {}).join("|")})\\b`);
  const namesField = ({ words }: ApiResponse) => body !== undefined && field.test(words);
  return (response) => {
    if (!isListed(response)) return false;
    const isSame = (one: ApiResponse) =>
      one.fingerprint === response.fingerprint ||
      (namesField(response) && membersOf(one) === membersOf(response));
    const alike = invalid.filter((one) => isListed(one) && isSame(one));
    return 2 * alike.length > invalid.length;
  };
}
