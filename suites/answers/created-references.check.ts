import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { resolve } from "../../fixtures/lists/json-pointer.ts";
import { check } from "../../fixtures/run/check.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { operations, successBodyRequirements } from "../../schemas/contract.ts";
import { differentRequests, expectDifferent } from "./recorded-answers.ts";

// Section 4: a creation returns data.reference, which is of no use if another record has it too.
for (const operation of operations) {
  const { id, noun, effect } = operation;
  if (effect !== "create") continue;
  const title = `returns a different data.reference for each request to create ${noun}`;
  const should = successBodyRequirements(operation);
  check(`${id}/references-differ`, title, { should }, async (ctx) => {
    await requireControl(ctx, id);
    const created = () => differentRequests(ctx.run.answersTo(id));
    if (created().length < 2) await ctx.send(id);
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
