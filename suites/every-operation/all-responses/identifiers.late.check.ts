import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { Inconclusive } from "../../../fixtures/engine/http/findings.ts";
import { withOptionalFields } from "../../../fixtures/engine/judge/optional-fields.ts";
import { resolve } from "../../../fixtures/engine/lists/json-pointer.ts";
import { check } from "../../../fixtures/engine/run/check.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { operations, successBodyRequirements } from "../../../schemas/contract.ts";
import { hasRequiredField } from "../statuses-and-bodies/requests.ts";
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

// Section 4: a creation returns data.reference, which is of no use if another record has it too.
for (const operation of operations) {
  const { id, noun, effect } = operation;
  if (effect !== "create") continue;
  const title = `returns a different data.reference for each request to create ${noun}`;
  const should = successBodyRequirements(operation);
  check(`${id}/references-differ`, title, { should }, async (ctx) => {
    await requireControl(ctx, id);
    const created = () => differentRequests(ctx.run.answersTo(id));
    if (created().length < 2) await ctx.send(id, {}, { retry: false });
    const compared = expectDifferent(
      ctx,
      created(),
      referenceOf,
      (reference) => `returned the data.reference ${JSON.stringify(reference)} of another record`,
      "a reference of its own",
    );
    if (compared < 2)
      throw new Inconclusive(
        "no two records were created with a data.reference: there is nothing to compare",
      );
  });
}

function referenceOf({ json }: Answer): string | undefined {
  const reference = resolve(json, "/data/reference");
  return typeof reference === "string" ? reference : undefined;
}
