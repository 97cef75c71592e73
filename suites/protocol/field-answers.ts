import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { controlOf } from "../../fixtures/control.ts";
import { lacking } from "../../fixtures/findings.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { type FieldProbe, rejectedRequests, type Wrong } from "../../fixtures/probes.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";

/** The answer to a request with one wrong field, asked for once per run, after the accepted control. */
export async function answerToWrong(bench: Bench, id: OperationId, { change, what }: Wrong): Promise<Answer> {
  await controlOf(bench, id);
  const answer = await bench.run.shared(`field/${id}/${what}`, () => attemptPatiently(bench, id, change));
  bench.note(answer);
  return answer;
}

/** A target may take a lenient value and keep what it made of it, so that the operator has to agree. */
export function needLenience(bench: Bench, id: OperationId, { needs }: Pick<FieldProbe, "needs">) {
  const { effect } = contract[id];
  if (effect === "money" || effect === "create") bench.needProbeWrites();
  if (needs && bench.values[needs] !== true) throw lacking([needs]);
}

/** Where every wrong request is judged as a bound condition, some of those show how the operation refuses. */
export function wrongRequests(operation: Operation): Wrong[] {
  const wrongs = rejectedRequests(operation);
  if (wrongs.length > 0 || operation.effect !== "read") return wrongs;
  return operation.bound.map(({ id, change }) => ({ label: id, what: id, change }));
}
