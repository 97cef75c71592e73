import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { rejectionMismatch } from "../../fixtures/http/mismatch.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectBoundAnswer, expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectRejectionAsDocumented } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { type TwoMistakes, twoMistakes } from "../../schemas/mistakes.ts";
import { answerToDefect } from "../protocol/field-answers.ts";

// A request with two mistakes is refused like a request with one: it is not carried out, and it gets the documented body.
for (const operation of operations) {
  const pair = twoMistakes(operation);
  if (!pair) continue;
  const { id, noun } = operation;
  const { level, what, bound } = pair;
  const rules = [...new Set([...pair.requirements, ...(operation.requirements.rejection ?? [])])];
  const options = level === "MUST" ? { must: rules } : { critical: rules };
  check(`${id}/rejections/two-mistakes`, rejectionTitle(noun, what), options, async (ctx) => {
    await controlOf(ctx, id);
    if (bound) await expectBoundAnswer(ctx, id, { ...pair, ...bound });
    else await expectRefused(ctx, id, pair);
  });
}

async function expectRefused(ctx: CheckContext, id: OperationId, pair: TwoMistakes) {
  const answer = await answerToDefect(ctx, id, pair);
  await expectRejected(ctx, answer, { what: pair.what, field: Object.keys(pair.first.change.body ?? {})[0] });
  if (answer.failure || answer.looksAccepted) return;
  if (answer.isCrash)
    ctx.warn(`${outcomeOf(answer)} although ${pair.what}; expected a 4xx`, { critical: true, answer });
  else await expectShape(ctx, id, pair, answer);
}

/** If a single mistake is rejected with a wrong body too, the two have the same cause. */
async function expectShape(ctx: CheckContext, id: OperationId, { first }: TwoMistakes, answer: Answer) {
  if (rejectionMismatch(answer) === undefined) return;
  const single = await answerToDefect(ctx, id, first);
  if (!single.failure && !single.looksAccepted && rejectionMismatch(single) !== undefined)
    throw new Inconclusive(
      `${outcomeOf(answer)} with the same wrong body as for one mistake`,
      `${id}/rejections/shape`,
    );
  expectRejectionAsDocumented(answer);
}
