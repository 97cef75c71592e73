import { isStatus2xx } from "../../fixtures/classify.ts";
import { basisOf } from "../../fixtures/leeway.ts";
import { attemptPatiently, judgeAnswered } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
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
export function refusesWithoutIdentifier(id: OperationId, item: OpenItemId) {
  const { has = "" }: Operation["success"] = contract[id].success;
  check(
    `${id}/refusal-without-identifier`,
    { level: "SHOULD", critical: true, source: item },
    async (bench) => {
      const answer = await withoutAmount(id)(bench);
      judgeAnswered(answer);
      if (!isStatus2xx(answer) && answer.field(has) !== undefined)
        throw violation(answer, `${outcomeOf(answer)} with ${has}`, "a refusal without identifier");
    },
  );
}

/** A payment without its amount, sent once per run and operation. */
const withoutAmount = (id: OperationId) => async (bench: Parameters<typeof basisOf>[0]) => {
  const answer = await bench.run.shared(`without-amount/${id}`, () =>
    attemptPatiently(bench, id, { body: { amount: undefined } }),
  );
  bench.note(answer);
  return answer;
};
