import { Inconclusive, ifDecided, Violation } from "../../../fixtures/engine/http/findings.ts";
import { hasNoValidKey, isReadable } from "../../../fixtures/engine/http/readable.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { documentedSuccess } from "../../../fixtures/engine/judge/matchers.ts";
import { checksIn } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf, requireControl } from "../../../fixtures/engine/run/control.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { contract, type OperationId, operations, statusRequirement } from "../../../schemas/contract.ts";
import { listsNoServerError, type Operation } from "../../../schemas/operation.ts";
import { responseTo } from "../authentication/credentials.ts";
import { invalidRequests, responsesToDefects } from "../requests/requests.ts";
import {
  failedThoughAccepted,
  hasTwin,
  isAllowed,
  isOwnFailure,
  isTakenForUsed,
  kindOfRequest,
} from "./failures.ts";
import { enoughResponses, expectNone, responsesOf } from "./recorded.ts";
import { expectNoCertainError, expectNoForeignRejection, withoutCertain } from "./server-errors.ts";

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
      await ifDecided(responsesToDefects(ctx, id, invalidRequests(operation)));
      await expectNoCertainError(ctx, id);
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
      const sent = await responsesToDefects(ctx, id, defects);
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
      await ctx.send(id, {}, { retry: false, mayBeBusy: true });
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
