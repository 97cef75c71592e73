import { lastLook } from "../../fixtures/run/last-look.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import { questionsOf } from "../../schemas/questions.ts";
import { expectKeyAlwaysAccepted, SAME_QUESTION, sameQuestion } from "./key-accepted.ts";

// vitest loads this file when the phases before it have ended.
lastLook("refused keys", ({ keyRefusals: { proof } }) => {
  if (!proof) return undefined;
  const id = proof.rejected.operation.id as OperationId;
  return {
    id: sameQuestion(id),
    title: SAME_QUESTION,
    options: { must: questionsOf(contract[id]).requirements, runsAfterStop: true },
    body: async (ctx) => expectKeyAlwaysAccepted(ctx),
  };
});
