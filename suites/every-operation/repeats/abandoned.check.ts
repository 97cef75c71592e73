import { type ApiResponse, checksIn, demand, listOf, skip } from "../../../fixtures/engine/vocabulary.ts";
import { operations, routedApart } from "../../../schemas/contract.ts";

const check = checksIn("repeats");

/** Hardly any request is under way for a shorter time. */
const SHORTEST_MS = 4;

// Requests share connections to databases and caches. Where a response was not fetched from one, since the client had gone,
// the next request gets it, whoever sent that.
for (const { id, noun, list } of routedApart(operations.filter(({ list }) => list))) {
  if (!list) continue;
  const title = `responds to ${noun} as usual when the client before it had gone away without a response`;
  check(`${id}/http/abandoned`, title, { critical: "practice" }, async (ctx) => {
    await ctx.ordinary(id);
    const nothing = { query: { [list.search]: await listOf(ctx, id).unusedText() } };
    const once = { retry: false, mayBeBusy: true, alone: true } as const;
    const ask = () => ctx.send(id, {}, once);
    const { items: usual } = await listOf(ctx, id).itemsOf(await ask());
    if (usual.length === 0) skip("the page that this run asks for is empty, like what it looks for");
    const findOdd = () =>
      ctx.run.client.alone(async () => {
        const left = await leaveWithin((await ask()).durationMs);
        // One more than were left over before may be waiting for somebody who asks.
        for (const response of [await ask(), await ask()]) {
          const { items } = await listOf(ctx, id).itemsOf(response);
          if (response.kind === "done" && items.length === 0) return { response, left };
        }
        return undefined;
      });
    /** Goes away in the middle of the time that a response takes, or earlier if it was quicker this time. */
    const leaveWithin = async (ms: number): Promise<ApiResponse> => {
      const left = await ctx.send(id, nothing, { ...once, deadlineMs: ms / 2, ownConnection: true });
      return left.failure || ms < SHORTEST_MS ? left : leaveWithin(ms / 2);
    };
    // Twice is no chance.
    const odd = (await findOdd()) && (await findOdd());
    if (!odd) return;
    const actual =
      "returned no items to the request after one whose client gave up a search that finds nothing";
    demand(false, odd.response, actual, "the items of the list, as before", [odd.left]);
  });
}
