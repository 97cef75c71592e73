import { showingToo } from "../../../fixtures/engine/judge/matchers.ts";
import {
  type ApiResponse,
  type CheckContext,
  check,
  consentToLenience,
  demand,
  demandNotDone,
  demandRejected,
  type SendOptions,
  scalars,
  skip,
} from "../../../fixtures/engine/vocabulary.ts";
import { sha256 } from "../../../reports/digest.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import { type Change, rejectionTitle } from "../../../schemas/operation.ts";
import { UNKNOWN_ID } from "../../../schemas/recipe.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";
import { harmless } from "../requests.ts";

/** The Authorization header of a caller whose key, in the documented form, was never issued. */
export const unknownBearer = ({ run }: CheckContext) =>
  `Bearer sk_test_${sha256(`unknown ${run.settings.runId}`).slice(0, 32)}`;

/**
 * The response to the operation's ordinary request with other credentials, sent once per run. The accepted request is sent
 * first: it shows which values the API takes. A rejection of other values would prove nothing about the key.
 */
export async function responseTo(
  ctx: CheckContext,
  id: OperationId,
  name: string,
  options: SendOptions,
  change: Change = {},
) {
  await ctx.control(id);
  const response = await ctx.once(`auth/${id}/${name}`, () => {
    const built = harmless(ctx, id, change);
    // Without a body nothing can move.
    const draft = options.bytes === "" ? { ...built, stake: undefined } : built;
    return ctx.sendInvalid(id, {}, { ...options, draft });
  });
  return response;
}

/** Whether the API rejected the key, and so did not look at the request. */
export const isUnauthenticated = ({ status }: ApiResponse) => status === 401 || status === 403;

/** Demands that a request without a valid key was rejected, with 401 where the operation lists it unless any status will do. */
export async function expectKeyRejected(
  ctx: CheckContext,
  response: ApiResponse,
  {
    what,
    anyStatus,
    beside = [],
  }: { readonly what: string; readonly anyStatus?: true; readonly beside?: readonly ApiResponse[] },
) {
  if (401 in response.operation.responses && !anyStatus)
    return demand(response.status === 401, response, `${response.outcome} although ${what}`, "401", beside);
  // 401 and 403 cannot be about the data, so no accepted control is needed.
  if (isUnauthenticated(response)) return;
  // A rejected transfer may be recorded, but not for a merchant that the request does not name.
  await showingToo(beside, () => demandRejected(ctx, response, { what }));
}

/** Names of fields that two merchants do not share. */
const IDENTIFYING = /(^|[._])id$|Id$|[eE]-?[mM]ail|[pP]hone|([mM]erchant|[bB]usiness|[cC]ompany)_?[nN]ame$/;

/** The values of a profile whose names say that they identify its merchant. */
export const identityIn = ({ json }: ApiResponse) => scalars(json).filter(([path]) => IDENTIFYING.test(path));

/** A request about a record of the merchant under test, sent with the key of another one. */
interface OtherMerchant {
  readonly what: string;
  /** The rule by which a record that the merchant does not have is rejected. */
  readonly requirement: RequirementId;
  /** The documented status for a record that does not exist, if there is one. */
  readonly status?: number;
  /** Sends it, if it is not the ordinary request. */
  readonly send?: Sending<ApiResponse>;
  /** The same with optional fields left out or given, which a service may carry out in another way; `undefined` without the data. */
  readonly otherwise?: { readonly what: string; readonly send: Sending<ApiResponse | undefined> };
}

type Sending<Result> = (ctx: CheckContext) => Promise<Result>;

/** Registers that another merchant's key changes nothing, and that it does not show whether the record exists. */
export function rejectsOtherMerchant(
  id: OperationId,
  {
    what,
    requirement,
    status,
    send = ({ other }) => other.send(id, {}, { retry: false }),
    otherwise,
  }: OtherMerchant,
) {
  const sentOnce = async (ctx: CheckContext) => {
    await ctx.other.profile();
    return ctx.once(`other-merchant/${id}`, () => send(ctx));
  };
  const title = rejectionTitle(contract[id].noun, what);
  check(`${id}/other-merchant`, title, { must: [requirement], scope: "second-merchant" }, async (ctx) => {
    const first = await sentOnce(ctx);
    // A service that remembers a record of its owner may forget to look at the key only then.
    await showingToo(acceptedBefore(ctx, first), async () => {
      demandNotDone(first, what);
      const other = await otherwise?.send(ctx);
      if (otherwise && other) demandNotDone(other, otherwise.what);
    });
  });
  if (status === undefined) return;
  check(`${id}/other-merchant/status`, `returns ${status} when ${what}`, { should: "G18" }, async (ctx) => {
    const response = await sentOnce(ctx);
    demand(response.status === status, response, `${response.outcome} although ${what}`, String(status));
  });
}

/** The last request before this one that is equal to it, and was accepted from the merchant under test. */
function acceptedBefore(ctx: CheckContext, { operation, requestText, startedAt }: ApiResponse) {
  const before = ctx.run
    .responsesTo(operation.id as OperationId)
    .filter((one) => one.kind === "done" && one.isSentWith(ctx.target.secretKey))
    // Nothing says which of two came first that were under way at the same time.
    .filter((one) => one.startedAt.getTime() + one.durationMs < startedAt.getTime())
    .findLast((one) => one.requestText === requestText);
  return before ? [before] : [];
}

/**
 * Registers that a merchant cannot name another merchant's record in a body. Where the API accepts one that does not exist
 * too, it looks none up.
 */
export function rejectsOtherMerchantsRecord(
  id: OperationId,
  thing: string,
  bodyOf: (ctx: CheckContext) => Readonly<Record<string, unknown>>,
) {
  const field = `${thing}Id`;
  const what = `its ${field} is another merchant's`;
  const options = { critical: "G18", scope: "second-merchant", ...consentToLenience(id) } as const;
  check(`${id}/other-merchant/${field}`, rejectionTitle(contract[id].noun, what), options, async (ctx) => {
    // The accepted ordinary request shows which values the API takes.
    await ctx.control(id);
    const body = bodyOf(ctx);
    const response = await ctx.other.send(id, { body }, { retry: false });
    if (response.statusClass !== 2 || response.kind === "rejected") return;
    const change = { body: { ...body, [field]: UNKNOWN_ID } };
    const unknown = await ctx.other.send(id, change, { retry: false });
    if (unknown.kind !== "rejected") skip(`a ${field} that no ${thing} has ${unknown.fate} too`);
    const actual = `${response.outcome} although ${what}, and ${unknown.outcome} if no ${thing} has it`;
    const expected = `a rejection, unless both merchants have a ${thing} with this ${field}`;
    demand(false, response, actual, expected, [unknown]);
  });
}
