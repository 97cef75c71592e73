import { expectBoundAnswer } from "../../fixtures/judge/expect-rejected.ts";
import { check } from "../../fixtures/run/check.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { operations } from "../../schemas/contract.ts";

// Conditions that the specification ties to one status code and body: any other answer is a violation.
for (const { id, noun, bound } of operations) {
  for (const condition of bound) {
    const title = `${rejectionTitle(noun, condition.what)} with ${condition.status}`;
    check(`${id}/${condition.id}`, title, { must: condition.requirements }, (ctx) =>
      expectBoundAnswer(ctx, id, condition),
    );
  }
}
