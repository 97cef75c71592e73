import { check } from "../../fixtures/run/check.ts";
import { documentsRejection, documentsSuccess, operations } from "../../schemas/contract.ts";
import type { Direction } from "./judged-answers.ts";
import { answersIn, counted } from "./misshapen.ts";
import { rarestSeen } from "./rarity.ts";
import { answersOf } from "./recorded-answers.ts";

// A defect that shows only now and then may stay unseen; how rare it would have to be depends on the number of answers.
for (const operation of operations.filter(documentsSuccess)) {
  const { id } = operation;
  const title = "gives so many answers that a rare defect of their form would show";
  check(`${id}/answers/coverage`, title, { observe: "G19" }, async (ctx) => {
    await answersOf(ctx, id);
    const directions: readonly Direction[] = documentsRejection(operation)
      ? ["success", "rejection"]
      : ["success"];
    const counts = directions.map((direction) => ({
      direction,
      count: answersIn(ctx, id, direction).length,
    }));
    const judged = counts.map(({ direction, count }) => counted(count, direction)).join(" and ");
    const seen = counts.flatMap(({ direction, count }) => {
      const rarest = rarestSeen(count);
      if (rarest === undefined) return [];
      return rarest === 1 ? [`every ${direction}`] : [`1 of ${counted(rarest, direction)}`];
    });
    const share = seen.length > 0 ? seen.join(" or ") : "no answer";
    ctx.observe(
      "G19",
      `${judged} were judged; a defect in ${share} would have been seen with 95 % certainty`,
    );
  });
}
