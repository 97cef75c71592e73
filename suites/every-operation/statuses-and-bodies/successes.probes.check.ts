import { z } from "zod";
import { Inconclusive } from "../../../fixtures/engine/http/findings.ts";
import { isErrorWord, mismatch } from "../../../fixtures/engine/http/mismatch.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { acceptedControl, isUnknownPath } from "../../../fixtures/engine/judge/expect-accepted.ts";
import { expectAnswered, expectNoMismatch, expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf, sentControl } from "../../../fixtures/engine/run/control.ts";
import { contract, type OperationId, operations, successSchema } from "../../../schemas/contract.ts";
import { neededVariables, type Operation } from "../../../schemas/operation.ts";
import { hasRequiredField } from "./requests.ts";

// The ordinary request of each operation has the documented success. Transfers have a check of their own, which also
// looks for one that is carried out without being acknowledged.
for (const { id, noun, effect, requirements, recordedRejection, fieldProbes } of operations) {
  if (recordedRejection) continue;
  // Where no invalid request is documented, only the response to the operator's own one can be a rejection.
  const rejection = fieldProbes === "none" ? (requirements.rejection ?? []) : [];
  const options = { must: [...requirements.success, ...rejection], ...(effect === "money" && { pays: 1 }) };
  check(`${id}/accepted`, `accepts ${noun} and returns the documented success`, options, (ctx) =>
    acceptedControl(ctx, id),
  );
}

// Section 1: the operation exists. If an empty request could be valid, only the operation's success proves that.
for (const operation of operations) {
  if (operation.effect !== "read" && !hasRequiredField(operation)) continue;
  const title = `exists at ${operation.method} ${operation.route}`;
  check(`${operation.id}/exists`, title, { must: ["R001", "R114"] }, async (ctx) => {
    const response = await sendLeast(ctx, operation.id);
    expectAnswered(response);
    if (response.status === undefined) throw new Inconclusive(response.outcome);
    const isMissing = await isAbsent(ctx, response);
    expectThat(!isMissing, response, response.outcome, "an operation at this path");
  });
}

/** Sends the ordinary request if it needs no data, and otherwise an empty one. */
async function sendLeast(ctx: CheckContext, id: OperationId) {
  const operation: Operation = contract[id];
  if (operation.body === undefined && neededVariables(operation).length === 0) {
    const { response } = await controlOf(ctx, id);
    if (response) return response;
  }
  const body = operation.body ? {} : null;
  const draft = { ...ctx.run.builder.build(id), query: {}, body, stake: undefined };
  return ctx.sendInvalid(id, {}, { draft });
}

/** Whether there is no such method, or the response is that of an unknown path: some servers reject a parameter with 404. */
const isAbsent = async (ctx: CheckContext, response: ApiResponse) =>
  response.status === 405 || response.status === 501
    ? !hasDocumentedErrorBody(response)
    : isUnknownPath(ctx, response);

/** Whether the body is one that the operation documents for some error; undocumented bodies prove nothing. */
function hasDocumentedErrorBody(response: ApiResponse): boolean {
  const { responses, errorBody } = response.operation;
  const errors = Object.entries(responses).flatMap(([code, schema]) => (Number(code) >= 400 ? [schema] : []));
  return [...errors, ...(errorBody ? [errorBody] : [])].some(
    (schema) => !schema.safeParse(undefined).success && mismatch(schema, response) === undefined,
  );
}

// Section 4, common response shapes: the documented envelope in full, beyond what a success must have.
for (const operation of operations) {
  const { id } = operation;
  if (!hasEnvelope(operation)) continue;
  check(`${id}/envelope`, "returns the documented envelope in full", { should: ["R024"] }, async (ctx) => {
    const { response, accepted } = await sentControl(ctx, id);
    if (!accepted) throw new Inconclusive(`${response.outcome}: there is no envelope`, `${id}/accepted`);
    expectNoMismatch(response, mismatch(successSchema(operation), response), "the documented envelope");
    const isError = isErrorWord(response.field("status"));
    expectThat(!isError, response, `${response.outcome} with status "error"`, "the status of a success");
  });
}

function hasEnvelope(operation: Operation): boolean {
  const schema = successSchema(operation);
  if (!(schema instanceof z.ZodObject)) return false;
  const { status, message, data } = schema.shape;
  return status instanceof z.ZodString && message !== undefined && data !== undefined;
}
