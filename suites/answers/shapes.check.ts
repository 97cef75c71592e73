import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, ifDecided } from "../../fixtures/http/findings.ts";
import { expectRejectionAsDocumented, expectSuccessAsDocumented } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import {
  documentsRejection,
  documentsSuccess,
  operations,
  successBodyRequirements,
} from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { rejectedRequests } from "../../schemas/probes.ts";
import { answerToDefect, invalidRequests } from "../protocol/field-answers.ts";
import { expectNoneMisshapen, judgeShapes, type Misshapen } from "./misshapen.ts";
import { answersOf, enoughAnswers } from "./recorded-answers.ts";

// Every answer that an operation gave in this run has the documented form, not only those that a check asked for.
// An operation whose request is undocumented gets a single one, which the check of its acceptance judges.
for (const operation of operations.filter(({ fieldProbes }) => fieldProbes !== "none")) {
  const { id, requirements } = operation;

  if (documentsSuccess(operation)) {
    const title = "returns the documented status and body with every success";
    const must = successBodyRequirements(operation);
    check(`${id}/answers/success-shape`, title, { must }, async (ctx) => {
      const { answer: control, notTested } = await enoughAnswers(ctx, id);
      const found = judgeShapes(ctx, id, "success", expectSuccessAsDocumented);
      if (found.judged.length === 0)
        throw notTested ?? new Inconclusive("no request of this run was accepted", `${id}/accepted`);
      const isInControl = found.violations.some(({ answer }) => answer === control);
      expectNoneMisshapen(ctx, found, isInControl ? `${id}/accepted` : undefined);
    });
  }

  if (documentsRejection(operation)) {
    const title = "returns the documented error body with every rejection";
    check(`${id}/answers/rejection-shape`, title, { must: requirements.rejection ?? [] }, async (ctx) => {
      await answersOf(ctx, id);
      // In a run of all checks, these have been sent before.
      const invalid = await Promise.all(
        invalidRequests(operation).map((defect) => ifDecided(answerToDefect(ctx, id, defect))),
      );
      const found = judgeShapes(ctx, id, "rejection", expectRejectionAsDocumented);
      expectNoneMisshapen(ctx, found, checkOfOneRejection(operation, found, invalid));
    });
  }
}

/** The check that fails if every rejection of the operation has the wrong body. */
function checkOfOneRejection(
  operation: Operation,
  { violations }: Misshapen,
  invalid: readonly (Answer | undefined)[],
): string | undefined {
  const { id, bound } = operation;
  if (rejectedRequests(operation).length > 0 && violations.some(({ answer }) => invalid.includes(answer)))
    return `${id}/rejections/shape`;
  const condition = bound.find(
    ({ shape, status }) => shape && violations.some(({ answer }) => answer.status === status),
  );
  return condition && `${id}/${condition.id}`;
}
