import { Inconclusive } from "../../fixtures/http/findings.ts";
import { withOptionalFields } from "../../fixtures/judge/optional-fields.ts";
import { check } from "../../fixtures/run/check.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { operations } from "../../schemas/contract.ts";
import { hasRequiredField } from "../protocol/json-operations.ts";
import { differentRequests, expectDifferent } from "./recorded-answers.ts";

// Section 2: transaction results carry an identifier. A transfer may be repeated, so it has checks of its own.
for (const operation of operations) {
  const { id, noun, success, effect, recordedRejection } = operation;
  const { has } = success;
  if (effect !== "money" || has === undefined || recordedRejection) continue;
  const title = `returns a different ${has} for each payment`;
  // The checks of optional fields pay for the second payment of the others.
  const options = { must: ["R008"], ...(!hasRequiredField(operation) && { pays: [0, 1] as const }) } as const;
  check(`${id}/${has}-unique`, title, options, async (ctx) => {
    await requireControl(ctx, id);
    const accepted = () => differentRequests(ctx.run.answersTo(id));
    if (accepted().length < 2) await withOptionalFields(ctx, id);
    const payments = accepted();
    if (payments.length < 2)
      throw new Inconclusive("no second payment was accepted: there is nothing to compare with");
    expectDifferent(
      ctx,
      payments,
      (payment) => payment.written(has) ?? "",
      (identifier) =>
        `returned the ${has} ${identifier} for two payments: it is not clear which one is meant`,
      `a different one for each request for ${noun}`,
    );
  });
}
