import { z } from "zod";
import { difference, isErrorWord } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { operations, successSchema } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";

// Section 4, common response shapes: what the envelope documents beyond what every reading of it demands.
for (const operation of operations) {
  const { id } = operation;
  if (!hasEnvelope(operation)) continue;
  check(`${id}/envelope`, { level: "SHOULD", requirements: ["R024"] }, async (bench) => {
    const { answer, accepted, notTested } = await controlOf(bench, id);
    if (!answer) throw notTested ?? new Error(`${id} has no control and no reason for it`);
    if (!accepted) throw new Inconclusive(`${outcomeOf(answer)}: there is no envelope`, `${id}/accepted`);
    const different = difference(successSchema(operation), answer);
    if (different)
      throw violation(answer, `${outcomeOf(answer)} where ${different}`, "the envelope as documented");
    if (isErrorWord(answer.field("status")))
      throw violation(answer, `${outcomeOf(answer)} with status "error"`, "the status of a success");
  });
}

function hasEnvelope(operation: Operation): boolean {
  const schema = successSchema(operation);
  if (!(schema instanceof z.ZodObject)) return false;
  const { status, message, data } = schema.shape;
  return status instanceof z.ZodString && message !== undefined && data !== undefined;
}
