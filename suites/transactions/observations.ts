import type { Answer } from "../../fixtures/http/answer.ts";
import { Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectAnswered, expectThat } from "../../fixtures/judge/matchers.ts";
import { check, type Rules } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { OpenItemId } from "../../schemas/open-items.ts";
import type { Operation } from "../../schemas/operation.ts";

const NO_AMOUNT = { what: "amount is missing", field: "amount" };

/** Registers an observation of the status codes of an operation whose codes are undocumented. */
export function observeStatus(id: OperationId, item: OpenItemId) {
  const title = `accepts and rejects ${contract[id].noun} with status codes of its choice`;
  check(`${id}/status-codes`, title, { observe: item }, async (ctx) => {
    const success = await requireControl(ctx, id);
    ctx.observe(item, `an accepted request returns ${success.status}`);
    const answer = await answerWithoutAmount(ctx, id);
    if (!answer.failure) ctx.observe(item, `a request without amount returns ${answer.status}`);
  });
}

/** Registers that a rejection has no identifier, which clients would take for a success. */
export function rejectsWithoutIdentifier(id: OperationId, rules: Rules) {
  const { noun, success }: Operation = contract[id];
  const { has = "" } = success;
  const title = `returns no ${has} when it refuses ${noun}`;
  check(`${id}/refusal-without-identifier`, title, { critical: rules }, async (ctx) => {
    const answer = await answerWithoutAmount(ctx, id);
    expectAnswered(answer);
    const isWrong = answer.identifier !== undefined && (await isRejection(ctx, answer));
    expectThat(!isWrong, answer, `${outcomeOf(answer)} with ${has}`, "a rejection without an identifier");
  });
}

/** Whether a payment without amount was rejected, recorded or not; other checks judge a payment that was carried out. */
async function isRejection(ctx: CheckContext, answer: Answer): Promise<boolean> {
  if (!answer.is2xx) return true;
  try {
    await expectRejected(ctx, answer, NO_AMOUNT);
    return true;
  } catch (error) {
    if (error instanceof Violation) return false;
    throw error;
  }
}

const answerWithoutAmount = (ctx: CheckContext, id: OperationId) =>
  ctx.once(`without-amount/${id}`, () => sendInvalidWithRetry(ctx, id, { body: { amount: undefined } }));
