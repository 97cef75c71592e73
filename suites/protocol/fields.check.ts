import { handlingOf } from "../../fixtures/http/wording.ts";
import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectAnswered, expectOutcome } from "../../fixtures/judge/matchers.ts";
import { consentToLenience } from "../../fixtures/judge/tolerated.ts";
import { type CheckOptions, check } from "../../fixtures/run/check.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { type FieldProbe, fieldProbes } from "../../schemas/probes.ts";
import { needExpendable } from "./consent.ts";
import { answerToDefect } from "./field-answers.ts";

// One field of a valid request is wrong: the API must not carry the request out, and should not crash.
for (const operation of operations) {
  const { id, noun } = operation;
  for (const probe of fieldProbes(operation)) {
    const { field, kind, level, defects } = probe;
    const title = titleOf(noun, probe);
    check(`${id}/${field}/${kind}`, title, optionsOf(id, probe), async (ctx) => {
      if (isLenient(probe)) needExpendable(ctx, id);
      for (const defect of defects) {
        const { what } = defect;
        const answer = await answerToDefect(ctx, id, defect);
        if (level === "OBSERVE") {
          expectAnswered(answer);
          ctx.observe("N18", `${noun} when ${what} ${handlingOf(answer)}`);
          continue;
        }
        await expectRejected(ctx, answer, { what, field });
        const isOrderly = !answer.is5xx && !answer.failure;
        if (level === "SHOULD") expectOutcome(isOrderly, answer, what, "a 4xx rejection");
      }
    });
  }
}

/** Whether common validators accept the values, so that the request may be carried out. */
function isLenient({ kind, level }: FieldProbe): boolean {
  return level === "OBSERVE" || kind === "type-lenient" || kind === "empty";
}

function optionsOf(id: OperationId, probe: FieldProbe): CheckOptions {
  const { level, requirements, defects } = probe;
  const consent = isLenient(probe) ? consentToLenience(id, defects.length) : {};
  if (level === "MUST") return { must: requirements };
  if (level === "CRITICAL") return { critical: requirements };
  return level === "SHOULD" ? { should: requirements, ...consent } : { observe: "N18", ...consent };
}

function titleOf(noun: string, { field, kind, level, defects }: FieldProbe): string {
  if (level === "OBSERVE") return `accepts or rejects ${noun} when ${defects[0]?.what}`;
  const [first] = defects;
  if (first && defects.length === 1) return rejectionTitle(noun, first.what);
  return `refuses ${noun} when ${field} has the wrong type${kind === "type" ? "" : ", even one that could be converted"}`;
}
