import { type CheckOptions, checksIn } from "../../../fixtures/engine/vocabulary.ts";
import { contract, operations } from "../../../schemas/contract.ts";
import { expectNothingMade } from "../requests/leave-nothing.ts";
import { expectNonePaid, notLookedUp } from "../requests/rejected-transfers.ts";
import { invalidRequests, responsesToDefects } from "../requests.ts";

const check = checksIn("late");

// A rejection is only half the proof: a rejected request must not have created anything.
for (const { id, noun, effect, foundBy, takes } of operations) {
  if (!foundBy) continue;
  const options: CheckOptions =
    effect === "money"
      ? {
          must: ["R083", "R086"],
          always: (run) => (notLookedUp(run).size > 0 ? expectNonePaid : undefined),
        }
      : { critical: "practice" };
  const title = `creates nothing when it refuses ${noun} as invalid`;
  check(`${id}/rejections/leave-nothing`, title, options, async (ctx) => {
    const late = ctx.target.allow.probeWrites ? (takes?.late ?? []) : [];
    const invalid = [...invalidRequests(contract[id]), ...late];
    await responsesToDefects(ctx, id, invalid);
    await expectNothingMade(ctx, id, (response) => response.isSentWith(ctx.target.secretKey));
  });
}
