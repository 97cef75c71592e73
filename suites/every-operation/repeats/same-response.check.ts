import { setTimeout } from "node:timers/promises";
import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  demand,
  demandRejected,
  ifDecided,
  keptConnection,
  needAnswer,
  type SendOptions,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId, operations, routedApart } from "../../../schemas/contract.ts";
import { questionsOf } from "../../../schemas/probes.ts";
import { responseTo, unknownBearer } from "../authentication/credentials.ts";
import { harmless, responseToDefect } from "../requests.ts";

const check = checksIn("repeats");

// Each write has a connection of its own, because its outcome would be unknown if it were lost with an idle connection.
// Clients, however, reuse connections: whatever a rejected request leaves behind there, such as an unread body, must not
// become part of the next request, and neither must its key.
for (const operation of [
  ...routedApart(operations.filter(({ effect }) => effect !== "read")),
  contract.createPaymentPage,
]) {
  const { id, noun } = operation;
  const { refused } = questionsOf(operation);
  const title = `answers the next request of a connection as usual after it rejected ${noun}`;
  check(`${id}/http/kept-connection`, title, { critical: "RFC 9112" }, async (ctx) => {
    const authorization = unknownBearer(ctx);
    const usual = [
      await responseTo(ctx, id, "unknown-key", { authorization }),
      ...(refused ? [await responseToDefect(ctx, id, refused)] : []),
      await responseTo(ctx, "getProfile", "no-header", { authorization: null }),
      await ctx.ordinary("getProfile"),
    ];
    const inRow = async (on: (id: OperationId) => SendOptions) => [
      await ctx.sendInvalid(id, {}, { ...on(id), draft: harmless(ctx, id), authorization }),
      ...(refused ? [await ctx.sendInvalid(id, refused.change, on(id))] : []),
      await ctx.sendInvalid("getProfile", {}, { ...on("getProfile"), authorization: null }),
      await ctx.send("getProfile", {}, { ...on("getProfile"), retry: false }),
    ];
    const findOdd = async (usual: readonly ApiResponse[]) => {
      const { via, close } = keptConnection(ctx.target);
      const kept = await inRow((id) => ({ via: via(contract[id]), mayBeBusy: true })).finally(close);
      const at = kept.findIndex((response, place) => isOfOtherKind(response, usual[place]));
      const [response, before, other] = [kept[at], kept[at - 1], usual[at]];
      return response && before && other && { response, before, other };
    };
    // Twice is no chance; what came before may have had values in a form that the run has given up since.
    const odd = (await findOdd(usual)) && (await findOdd(await inRow(() => ({ mayBeBusy: true }))));
    if (!odd) return;
    const { response, before, other } = odd;
    const actual = `${response.outcome} after it rejected ${noun} on the same connection, and ${other.outcome} to the same request on another one`;
    demand(false, response, actual, "the same response on every connection", [before]);
  });
}

/** A server may close a connection at any time, and be busy; it does not answer a request that it understands in another way. */
const isOfOtherKind = (response: ApiResponse, usual: ApiResponse | undefined) =>
  !response.failure && response.kind !== "unavailable" && response.status !== usual?.status;

// Late in the run, after many other calls, and on a new connection, the same question gets the same kind of response.
for (const operation of operations) {
  const { id, effect } = operation;
  const { refused, requirements } = questionsOf(operation);
  const title = "responds in the same way when a request is repeated late in the run";
  check(`${id}/same-question`, title, { must: requirements }, async (ctx) => {
    const asked: Promise<void>[] = [];
    for (const ask of [
      ...(refused
        ? [async () => expectRefusedAgain(ctx, await responseToDefect(ctx, id, refused), refused.what)]
        : []),
      () => repeatUnknownKey(ctx, id),
      ...(effect === "read" ? [() => repeatRead(ctx, id)] : []),
    ]) {
      const answer = ask();
      asked.push(answer);
      await ifDecided(answer);
    }
    // A question that decided nothing is reported only after the others.
    await Promise.all(asked);
  });
}

async function repeatUnknownKey(ctx: CheckContext, id: OperationId) {
  const authorization = unknownBearer(ctx);
  const first = await responseTo(ctx, id, "unknown-key", { authorization, headers: [] });
  if (isAccepted(first)) undecided("a key that was never issued was accepted", `${id}/auth/unknown-key`);
  await expectRefusedAgain(ctx, first, "the key was never issued");
}

async function repeatRead(ctx: CheckContext, id: OperationId) {
  const first = await ctx.ordinary(id);
  const again = await askAgain(ctx, first, ({ kind }) => kind === "done");
  demand(again.kind === "done", again, contradiction(again, first), "a success again", [first]);
}

/** Pause before a question is asked for the last time. */
const PAUSE_MS = 500;

/** Sends a recorded request again; and once more if the response is of another kind, since any server may fail for a moment. */
async function askAgain(
  ctx: CheckContext,
  first: ApiResponse,
  isSameKind: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  let again = await ctx.sendAgain(first);
  // If the API now carries out what it rejected before, no further proof is needed.
  if (!isSameKind(again) && !isAccepted(again)) {
    await setTimeout(PAUSE_MS);
    again = await ctx.sendAgain(first);
  }
  needAnswer(again);
  return again;
}

const isRefused = ({ kind }: ApiResponse) => kind === "rejected";
const isAccepted = ({ kind }: ApiResponse) => kind === "done" || kind === "seems done";

/** Demands that a request that was refused is refused again; another check decides whether it may be accepted at first. */
async function expectRefusedAgain(ctx: CheckContext, first: ApiResponse, what: string) {
  if (isAccepted(first)) return;
  const again = await askAgain(ctx, first, isRefused);
  if (isAccepted(again)) await demandRejected(ctx, again, { what: `${what}, and ${before(first)}` });
  const isSame = first.kind === "crashed" || isRefused(again) || isAccepted(again);
  demand(isSame, again, contradiction(again, first), "a rejection again", [first]);
}

const before = (first: ApiResponse) => `the API ${first.outcome} to the same request before`;
const contradiction = (again: ApiResponse, first: ApiResponse) =>
  `${again.outcome} although ${before(first)}`;
