import { acceptedControl } from "../../fixtures/judge/expect-accepted.ts";
import { check } from "../../fixtures/run/check.ts";
import { operations } from "../../schemas/contract.ts";

// The ordinary request of each operation has the documented success. Transfers have a check of their own, which also
// looks for one that is carried out without being acknowledged.
for (const { id, noun, effect, requirements, recordedRejection, fieldProbes } of operations) {
  if (recordedRejection) continue;
  // Where no invalid request is documented, only the answer to the operator's own one can be a rejection.
  const rejection = fieldProbes === "none" ? (requirements.rejection ?? []) : [];
  const options = { must: [...requirements.success, ...rejection], ...(effect === "money" && { pays: 1 }) };
  check(`${id}/accepted`, `accepts ${noun} and returns the documented success`, options, (ctx) =>
    acceptedControl(ctx, id),
  );
}
