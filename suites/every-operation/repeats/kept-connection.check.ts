import {
  type ApiResponse,
  checksIn,
  demand,
  keptConnection,
  type SendOptions,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import { questionsOf } from "../../../schemas/probes.ts";
import { responseTo, unknownBearer } from "../authentication/credentials.ts";
import { harmless, responseToDefect } from "../requests.ts";

const check = checksIn("repeats");

/** Two responses of another kind in a row, each on a connection of its own, are no chance. */
const TIMES = 2;

// Every write has a connection of its own, since its outcome would be unknown if it were lost with an idle one. Clients keep
// theirs: what a rejected request leaves there, such as a body that nobody read, must not become part of the next one.
for (const operation of operations) {
  const { id, noun, effect } = operation;
  const { refused } = questionsOf(operation);
  if (effect === "read") continue;
  const title = `answers the next request of a connection as usual after it rejected ${noun}`;
  check(`${id}/http/kept-connection`, title, { critical: "RFC 9112" }, async (ctx) => {
    const authorization = unknownBearer(ctx);
    const usual = [
      await responseTo(ctx, id, "unknown-key", { authorization }),
      ...(refused ? [await responseToDefect(ctx, id, refused)] : []),
      await ctx.ordinary("getProfile"),
    ];
    const inRow = async (via: (id: OperationId) => SendOptions) => [
      await ctx.sendInvalid(id, {}, { ...via(id), draft: harmless(ctx, id), authorization, mayBeBusy: true }),
      ...(refused ? [await ctx.sendInvalid(id, refused.change, { ...via(id), mayBeBusy: true })] : []),
      await ctx.send("getProfile", {}, { ...via("getProfile"), retry: false, mayBeBusy: true }),
    ];
    for (let time = 0; time < TIMES; time += 1) {
      const connection = keptConnection(ctx.target);
      const kept = await inRow((id) => ({ via: connection.via(contract[id]) })).finally(connection.close);
      const at = kept.findIndex((response, place) => isOfOtherKind(response, usual[place]));
      const [response, before] = [kept[at], kept[at - 1]];
      if (!response || !before) return;
      if (time < TIMES - 1) continue;
      const actual = `${response.outcome} after it rejected ${noun} on the same connection, and ${usual[at]?.outcome} to the same request on another one`;
      demand(false, response, actual, "the same response on every connection", [before]);
    }
  });
}

/** A server may close a connection at any time, and be busy; it does not answer a request that it understands in another way. */
const isOfOtherKind = (response: ApiResponse, usual: ApiResponse | undefined) =>
  !response.failure && !response.isThrottled && response.status !== usual?.status;
