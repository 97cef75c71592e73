import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { textSent } from "../../fixtures/http/sent.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { groupBy } from "../../reports/text/grouping.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** The answers of the operation in this run; its ordinary request is sent first. */
export async function answersOf(ctx: CheckContext, id: OperationId): Promise<readonly Answer[]> {
  const { notTested } = await controlOf(ctx, id);
  const answers = ctx.run.answersTo(id).filter(({ status }) => status !== undefined);
  if (answers.length === 0) throw notTested ?? new Inconclusive("no response arrived");
  return answers;
}

/** The accepted answers to requests that no other request of the run repeats. */
export function differentRequests(answers: readonly Answer[]): Answer[] {
  const times = groupBy(answers, textSent);
  return answers.filter((answer) => answer.isSuccess && times.get(textSent(answer))?.length === 1);
}

/** Demands that no two answers have the same value, and says so with `actualFor` if two have; returns how many have one. */
export function expectDifferent(
  ctx: CheckContext,
  answers: readonly Answer[],
  read: (answer: Answer) => string | undefined,
  actualFor: (value: string) => string,
  expected: string,
): number {
  const known = new Map<string, Answer>();
  for (const answer of answers) {
    const value = read(answer);
    if (value === undefined) continue;
    const other = known.get(value);
    if (other) ctx.note(other);
    ctx.note(answer);
    expectThat(!other, answer, actualFor(value), expected, other && [other]);
    known.set(value, answer);
  }
  return known.size;
}
