import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { controlOf } from "../../fixtures/control.ts";
import { lacking } from "../../fixtures/findings.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import type { CheckOptions } from "../../fixtures/test.ts";
import type { VariableName } from "../../fixtures/variables.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { type FieldProbe, rejectedRequests, type Wrong } from "../../schemas/probes.ts";

/** The answer to a request with one wrong field, asked for once per run, after the accepted control. */
export async function answerToWrong(bench: Bench, id: OperationId, { change, what }: Wrong): Promise<Answer> {
  await controlOf(bench, id);
  const answer = await bench.run.shared(`field/${id}/${what}`, () => attemptPatiently(bench, id, change));
  bench.note(answer);
  return answer;
}

/** What lenient values leave behind where a target takes them, and by which consent they are sent. */
export function lenienceOf(id: OperationId, requests = 1): Pick<CheckOptions, "pays" | "probe"> {
  const { effect } = contract[id];
  if (effect !== "money" && effect !== "create") return {};
  return { probe: true, ...(effect === "money" && { pays: requests }) };
}

/** A target may take a lenient value and keep what it made of it, so that the operator has to agree. */
export function needLenience(bench: Bench, { needs }: Pick<FieldProbe, "needs">) {
  const name = needs as VariableName | undefined;
  if (name && bench.values[name] !== true) throw lacking([name]);
}

/** Where every wrong request is judged as a bound condition, some of those show how the operation refuses. */
export function wrongRequests(operation: Operation): Wrong[] {
  const wrongs = rejectedRequests(operation);
  if (wrongs.length > 0 || operation.effect !== "read") return wrongs;
  return operation.bound.map(({ id, change }) => ({ label: id, what: id, change }));
}
