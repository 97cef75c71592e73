import type { Answer } from "../../fixtures/answer.ts";
import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { difference } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { hasRequiredField } from "./ordinary.ts";

// Section 1: the operation exists. Where an empty request could mean something, only its success proves that.
for (const operation of operations) {
  if (!isReadOrRefusesNothing(operation)) continue;
  check(`${operation.id}/exists`, { level: "MUST", requirements: ["R001", "R114"] }, async (bench) => {
    const answer = await leastRequest(bench, operation);
    judgeAnswered(answer);
    if (answer.status === undefined) throw new Inconclusive(outcomeOf(answer));
    const isMissing = [404, 405, 501].includes(answer.status);
    if (isMissing && !hasDocumentedErrorBody(answer))
      throw violation(answer, outcomeOf(answer), "an operation at this path");
  });
}

function isReadOrRefusesNothing(operation: Operation): boolean {
  return operation.effect === "read" || hasRequiredField(operation);
}

/** The ordinary request where it needs no data; else one without anything. */
async function leastRequest(bench: Bench, { id, body, needs }: Operation): Promise<Answer> {
  const operationId = id as OperationId;
  if (body === undefined && needs.length === 0) {
    const { answer } = await controlOf(bench, operationId);
    if (answer) return answer;
  }
  const draft = {
    ...bench.run.builder.build(operationId),
    query: {},
    body: body ? {} : null,
    stake: undefined,
  };
  return attemptPatiently(bench, operationId, {}, { draft });
}

/** A body that the operation documents for some error; bodies that are not shown say nothing. */
function hasDocumentedErrorBody(answer: Answer): boolean {
  const { responses, refusal } = answer.operation;
  const errors = Object.entries(responses).flatMap(([code, schema]) => (Number(code) >= 400 ? [schema] : []));
  return [...errors, ...(refusal ? [refusal] : [])].some(
    (schema) => !schema.safeParse(undefined).success && difference(schema, answer) === undefined,
  );
}
