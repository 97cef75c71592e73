import { hasNoValidKey } from "../../../fixtures/engine/http/readable.ts";
import { documentedSuccess } from "../../../fixtures/engine/judge/matchers.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  undecided,
  Violation,
} from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { plural } from "../../../reports/wording.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import {
  failedThoughAccepted,
  hasTwin,
  isAllowed,
  isOwnFailure,
  isTakenForUsed,
  kindOfRequest,
} from "./failures.ts";
import { enoughResponses, expectNone } from "./recorded.ts";

/** The responses to all requests of the run that the specification allows; throws the reason if there are none. */
export async function allowedRequests(ctx: CheckContext, id: OperationId): Promise<ApiResponse[]> {
  const { notTested } = await enoughResponses(ctx, id);
  const allowed = ctx.run.responsesTo(id).filter((response) => isAllowed(response, ctx.target));
  if (allowed.length > 0) return allowed;
  throw notTested ?? undecided("no request that the specification allows was sent");
}

/** The responses to all requests of the run that could be read, but have no valid key. */
export const requestsWithoutKey = ({ run, target }: CheckContext, id: OperationId) =>
  run.responsesTo(id).filter((response) => hasNoValidKey(response, target));

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
 * Tells a listed 500 with which the API rejects from a crash: most invalid requests get the same, or the same members and a
 * text that names a field of the operation. A request of allowed types may be rejected too, such as a second refund.
 */
export function rejectionWith500(ctx: CheckContext, id: OperationId): (response: ApiResponse) => boolean {
  const invalid = ctx.run
    .responsesTo(id)
    .filter((response) => ctx.couldRead(response) && !isAllowed(response, ctx.target));
  const isListed = (response: ApiResponse) =>
    500 in contract[id].responses && response.complete && response.status === 500;
  const namesIn = ({ json }: ApiResponse) => JSON.stringify(Object.keys(Object(json)));
  const { body }: Operation = contract[id];
  const field = new RegExp(`\\b(${Object.keys(body?.shape ?? {}).join("|")})\\b`);
  const namesField = ({ words }: ApiResponse) => body !== undefined && field.test(words);
  return (response) => {
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
