import type { Answer } from "../../fixtures/answer.ts";
import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus2xx } from "../../fixtures/classify.ts";
import { Violation } from "../../fixtures/findings.ts";
import { basisOf } from "../../fixtures/leeway.ts";
import { attemptPatiently, judgeRefused } from "../../fixtures/negative.ts";
import { type CheckOptions, check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { OpenItemId } from "../../schemas/open-items.ts";
import type { Operation } from "../../schemas/operation.ts";

/** Registers an observation of the status codes of an operation whose codes are not shown. */
export function observeStatus(id: OperationId, item: OpenItemId) {
  check(`${id}/status-codes`, { level: "OBSERVE", source: item }, async (bench) => {
    const success = await basisOf(bench, id);
    bench.observe(item, `success is answered with ${success.status}`);
    const refusal = await withoutAmount(id)(bench);
    if (!refusal.failure) bench.observe(item, `a refusal is answered with ${refusal.status}`);
  });
}

/** Registers that a refusal does not carry the identifier of a success, which clients would believe. */
export function refusesWithoutIdentifier(
  id: OperationId,
  basis: Pick<CheckOptions, "requirements" | "source">,
) {
  const { has = "" }: Operation["success"] = contract[id].success;
  check(`${id}/refusal-without-identifier`, { level: "SHOULD", critical: true, ...basis }, async (bench) => {
    const answer = await withoutAmount(id)(bench);
    judgeAnswered(answer);
    if (answer.field(has) !== undefined && (await isRefusal(bench, id, answer)))
      throw violation(answer, `${outcomeOf(answer)} with ${has}`, "a refusal without identifier");
  });
}

/** Whether a payment without its amount was refused, recorded or not; what was carried out is judged elsewhere. */
async function isRefusal(bench: Bench, id: OperationId, answer: Answer): Promise<boolean> {
  if (!isStatus2xx(answer)) return true;
  try {
    await judgeRefused(bench, id, answer, { what: "amount is left out", field: "amount" });
    return true;
  } catch (error) {
    if (error instanceof Violation) return false;
    throw error;
  }
}

/** A payment without its amount, sent once per run and operation. */
const withoutAmount = (id: OperationId) => async (bench: Bench) => {
  const answer = await bench.run.shared(`without-amount/${id}`, () =>
    attemptPatiently(bench, id, { body: { amount: undefined } }),
  );
  bench.note(answer);
  return answer;
};
