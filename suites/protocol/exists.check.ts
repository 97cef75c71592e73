import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { mismatch } from "../../fixtures/http/mismatch.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { isUnknownPath } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered, expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import { neededVariables, type Operation } from "../../schemas/operation.ts";
import { hasRequiredField } from "./json-operations.ts";

// Section 1: the operation exists. If an empty request could be valid, only the operation's success proves that.
for (const operation of operations) {
  if (operation.effect !== "read" && !hasRequiredField(operation)) continue;
  const title = `exists at ${operation.method} ${operation.route}`;
  check(`${operation.id}/exists`, title, { must: ["R001", "R114"] }, async (ctx) => {
    const answer = await sendLeast(ctx, operation.id);
    expectAnswered(answer);
    if (answer.status === undefined) throw new Inconclusive(outcomeOf(answer));
    const isMissing = await isAbsent(ctx, answer);
    expectThat(!isMissing, answer, outcomeOf(answer), "an operation at this path");
  });
}

/** Sends the ordinary request if it needs no data, and otherwise an empty one. */
async function sendLeast(ctx: CheckContext, id: OperationId) {
  const operation: Operation = contract[id];
  if (operation.body === undefined && neededVariables(operation).length === 0) {
    const { answer } = await controlOf(ctx, id);
    if (answer) return answer;
  }
  const body = operation.body ? {} : null;
  const draft = { ...ctx.run.builder.build(id), query: {}, body, stake: undefined };
  return sendInvalidWithRetry(ctx, id, {}, { draft });
}

/** Whether there is no such method, or the answer is that of an unknown path: some servers reject a parameter with 404. */
const isAbsent = async (ctx: CheckContext, answer: Answer) =>
  answer.status === 405 || answer.status === 501
    ? !hasDocumentedErrorBody(answer)
    : isUnknownPath(ctx, answer);

/** Whether the body is one that the operation documents for some error; undocumented bodies prove nothing. */
function hasDocumentedErrorBody(answer: Answer): boolean {
  const { responses, errorBody } = answer.operation;
  const errors = Object.entries(responses).flatMap(([code, schema]) => (Number(code) >= 400 ? [schema] : []));
  return [...errors, ...(errorBody ? [errorBody] : [])].some(
    (schema) => !schema.safeParse(undefined).success && mismatch(schema, answer) === undefined,
  );
}
