import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { describeChange, rejectionTitle } from "../../schemas/changes.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import type { Defect } from "../../schemas/operation.ts";
import { type FieldProbe, fieldProbes } from "../../schemas/probes.ts";
import { consentToLenience, needExpendable } from "./consent.ts";
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
      for (const defect of defects) await judge(ctx, id, probe, defect);
    });
  }
}

function titleOf(noun: string, { field, kind, defects }: FieldProbe): string {
  const [first] = defects;
  if (first && defects.length === 1) return rejectionTitle(noun, describeChange(first.change));
  return `refuses ${noun} when ${field} has the wrong ${kind === "type" ? "type" : "type, even one that could be converted"}`;
}

async function judge(ctx: CheckContext, id: OperationId, { field, level }: FieldProbe, defect: Defect) {
  const answer = await answerToDefect(ctx, id, defect);
  await expectRejected(ctx, answer, { what: defect.what, field });
  const isOrderly = !answer.is5xx && !answer.failure;
  expectThat(
    level === "MUST" || isOrderly,
    answer,
    `${outcomeOf(answer)} although ${defect.what}`,
    "a 4xx rejection",
  );
}
