import {
  type ApiResponse,
  checksIn,
  demand,
  keptConnection,
  type SendOptions,
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
