import { type CheckContext, checksIn, demand, undecided } from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import type { Defect } from "../../../schemas/operation.ts";
import { consentToRepeat } from "../requests.ts";

const check = checksIn("repeats");

// A rejected request leaves nothing: what it would have taken is still free.
for (const { id, noun, takes } of operations) {
  if (!takes || takes.late.length === 0) continue;
  const { field, late } = takes;
  const title = `accepts ${noun} with the ${field} of a request that it rejected`;
  const options = { should: "practice", ...consentToRepeat(id, late.length), probe: true } as const;
  check(`${id}/${field}-after-rejection`, title, options, async (ctx) => {
    ctx.needProbeWrites();
    await ctx.ordinary(id);
    const rejected = await Promise.all(late.map((defect) => expectStillFree(ctx, id, field, defect)));
    if (!rejected.includes(true)) undecided(`no request with a ${field} of its own was rejected`);
  });
}

/** Sends a request with a defect, and then without it; returns whether the API rejected the first one. */
async function expectStillFree(ctx: CheckContext, id: OperationId, field: string, { what, change }: Defect) {
  const draft = ctx.draft(id);
  const wrong = { ...draft, body: { ...draft.body, ...change.body } };
  const first = await ctx.sendInvalid(id, {}, { draft: wrong, retry: false, mayBeBusy: true });
  if (first.kind !== "rejected") return false;
  const corrected = await ctx.send(id, {}, { draft, repeats: [first] });
  if (corrected.kind === "done") return true;
  // Only a request that is accepted with another value shows that the value is the reason.
  const other = await ctx.send(id);
  const { noun } = contract[id];
  const actual = `${corrected.outcome} for ${noun} that it rejected before because ${what}, although this was corrected, and ${other.outcome} for one with another ${field}`;
  demand(other.kind !== "done", corrected, actual, "nothing of a rejected request to remain", [first, other]);
  return false;
}
