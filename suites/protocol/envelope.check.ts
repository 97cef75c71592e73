import { z } from "zod";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { isErrorWord, mismatch } from "../../fixtures/http/mismatch.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectNoMismatch, expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { sentControl } from "../../fixtures/run/control.ts";
import { operations, successSchema } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";

// Section 4, common response shapes: the documented envelope in full, beyond what a success must have.
for (const operation of operations) {
  const { id } = operation;
  if (!hasEnvelope(operation)) continue;
  check(`${id}/envelope`, "returns the documented envelope in full", { should: ["R024"] }, async (ctx) => {
    const { answer, accepted } = await sentControl(ctx, id);
    if (!accepted) throw new Inconclusive(`${outcomeOf(answer)}: there is no envelope`, `${id}/accepted`);
    expectNoMismatch(answer, mismatch(successSchema(operation), answer), "the documented envelope");
    const isError = isErrorWord(answer.field("status"));
    expectThat(!isError, answer, `${outcomeOf(answer)} with status "error"`, "the status of a success");
  });
}

function hasEnvelope(operation: Operation): boolean {
  const schema = successSchema(operation);
  if (!(schema instanceof z.ZodObject)) return false;
  const { status, message, data } = schema.shape;
  return status instanceof z.ZodString && message !== undefined && data !== undefined;
}
