import { checksIn, demand, demandBody, demandDone, undecided } from "../../../fixtures/engine/vocabulary.ts";
import { CreatedEnvelope, isErrorWord, ReadEnvelope, UpdatedEnvelope } from "../../../schemas/bodies.ts";
import { operations, successSchema } from "../../../schemas/contract.ts";

const check = checksIn("probes");

// The ordinary request of each operation has the documented success. Transfers have a check of their own, which also
// looks for one that is carried out without being acknowledged.
for (const { id, noun, effect, requirements, recordedRejection, fieldProbes } of operations) {
  if (recordedRejection) continue;
  // Where no invalid request is documented, only the response to the operator's own one can be a rejection.
  const rejection = fieldProbes === "none" ? (requirements.rejection ?? []) : [];
  const options = { must: [...requirements.success, ...rejection], ...(effect === "money" && { pays: 1 }) };
  check(`${id}/accepted`, `accepts ${noun} and returns the documented success`, options, (ctx) =>
    demandDone(ctx, id),
  );
}

const ENVELOPES: readonly unknown[] = [CreatedEnvelope, ReadEnvelope, UpdatedEnvelope];

// Section 4, common response shapes: the documented envelope in full, beyond what a success must have.
for (const operation of operations) {
  const { id } = operation;
  if (!ENVELOPES.includes(successSchema(operation))) continue;
  check(`${id}/envelope`, "returns the documented envelope in full", { should: ["R024"] }, async (ctx) => {
    const { response, accepted, notTested } = await ctx.control(id);
    if (!response) throw notTested;
    if (!accepted) undecided(`${response.outcome}: there is no envelope`, `${id}/accepted`);
    demandBody(response, successSchema(operation), "the documented envelope");
    const isError = isErrorWord(response.field("status"));
    demand(!isError, response, `${response.outcome} with status "error"`, "the status of a success");
  });
}
