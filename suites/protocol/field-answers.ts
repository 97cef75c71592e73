import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { controlOf } from "../../fixtures/control.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import type { Wrong } from "../../fixtures/probes.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** The answer to a request with one wrong field, asked for once per run, after the accepted control. */
export async function answerToWrong(
  bench: Bench,
  id: OperationId,
  { change, what }: Wrong,
): Promise<Answer> {
  await controlOf(bench, id);
  const answer = await bench.run.shared(`field/${id}/${what}`, () => attemptPatiently(bench, id, change));
  bench.note(answer);
  return answer;
}
