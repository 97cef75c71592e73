import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectOutcome } from "../../fixtures/judge/matchers.ts";
import { consentToLenience } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { operations } from "../../schemas/contract.ts";
import { type FieldProbe, fieldProbes } from "../../schemas/probes.ts";
import { needExpendable } from "./consent.ts";
import { answerToDefect } from "./field-answers.ts";

// One field of a valid request is wrong: the API must not carry the request out, and should not crash.
for (const operation of operations) {
  const { id, noun } = operation;
  for (const probe of fieldProbes(operation)) {
    const { field, kind, level, requirements, defects } = probe;
    const title = titleOf(noun, probe);
    const options =
      level === "MUST"
        ? { must: requirements }
        : { should: requirements, ...consentToLenience(id, defects.length) };
    check(`${id}/${field}/${kind}`, title, options, async (ctx) => {
      if (level === "SHOULD") needExpendable(ctx, id);
      for (const defect of defects) {
        const { what } = defect;
        const answer = await answerToDefect(ctx, id, defect);
        await expectRejected(ctx, answer, { what, field });
        const isOrderly = !answer.is5xx && !answer.failure;
        if (level === "SHOULD") expectOutcome(isOrderly, answer, what, "a 4xx rejection");
      }
    });
  }
}

function titleOf(noun: string, { field, kind, defects }: FieldProbe): string {
  const [first] = defects;
  if (first && defects.length === 1) return rejectionTitle(noun, first.what);
  return `refuses ${noun} when ${field} has the wrong type${kind === "type" ? "" : ", even one that could be converted"}`;
}
