import type { Answer } from "../../fixtures/http/answer.ts";
import { Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { check, type Rules } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { OpenItemId } from "../../schemas/open-items.ts";
import type { Operation } from "../../schemas/operation.ts";

/** Registers an observation of the status codes of an operation whose codes are not shown. */
export function observeStatus(id: OperationId, item: OpenItemId) {
  check(`${id}/status-codes`, "TITLE", { observe: item }, async (ctx) => {
    const success = await requireControl(ctx, id);
    ctx.observe(item, `success is answered with ${success.status}`);
    const refusal = await withoutAmount(id)(ctx);
    if (!refusal.failure) ctx.observe(item, `a refusal is answered with ${refusal.status}`);
  });
}

/** Registers that a refusal does not carry the identifier of a success, which clients would believe. */
export function rejectsWithoutIdentifier(id: OperationId, rules: Rules) {
  const { has = "" }: Operation["success"] = contract[id].success;
  check(`${id}/refusal-without-identifier`, "TITLE", { critical: rules }, async (ctx) => {
    const answer = await withoutAmount(id)(ctx);
    expectAnswered(answer);
    if (answer.field(has) !== undefined && (await isRefusal(ctx, id, answer)))
      throw new Violation(answer, `${outcomeOf(answer)} with ${has}`, "a refusal without identifier");
  });
}

/** Whether a payment without its amount was refused, recorded or not; what was carried out is judged elsewhere. */
async function isRefusal(ctx: CheckContext, id: OperationId, answer: Answer): Promise<boolean> {
  if (!answer.is2xx) return true;
  try {
    await expectRejected(ctx, answer, { what: "amount is left out", field: "amount" });
    return true;
  } catch (error) {
    if (error instanceof Violation) return false;
    throw error;
  }
}

/** A payment without its amount, sent once per run and operation. */
const withoutAmount = (id: OperationId) => async (ctx: CheckContext) => {
  const answer = await ctx.run.once(`without-amount/${id}`, () =>
    sendInvalidWithRetry(ctx, id, { body: { amount: undefined } }),
  );
  ctx.note(answer);
  return answer;
};
