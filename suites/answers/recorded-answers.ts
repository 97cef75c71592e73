import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { textSent } from "../../fixtures/http/sent.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { type Control, controlOf } from "../../fixtures/run/control.ts";
import { groupBy } from "../../reports/text/grouping.ts";
import { contract, documentsSuccess, type OperationId } from "../../schemas/contract.ts";
import { answersIn } from "./misshapen.ts";

/** So many successes show, with 95 % certainty, a defect of one in eight. */
const ENOUGH = 23;
const AT_ONCE = 4;

/** The answers of the operation in this run; its ordinary request is sent first. */
export async function answersOf(ctx: CheckContext, id: OperationId): Promise<readonly Answer[]> {
  const { notTested } = await enoughAnswers(ctx, id);
  const answers = ctx.run.answersTo(id).filter(({ status }) => status !== undefined);
  if (answers.length === 0) throw notTested ?? new Inconclusive("no response arrived");
  return answers;
}

/**
 * The control of the operation; once per run, an accepted read is sent until there are enough successes to judge, since
 * reading is free and some defects show only now and then.
 */
export async function enoughAnswers(ctx: CheckContext, id: OperationId): Promise<Control> {
  const control = await controlOf(ctx, id);
  const { effect } = contract[id];
  if (effect === "read" && documentsSuccess(contract[id]) && control.accepted)
    await ctx.run.once(`enough answers/${id}`, () => readUntilEnough(ctx, id));
  return control;
}

async function readUntilEnough(ctx: CheckContext, id: OperationId) {
  const draft = ctx.draft(id);
  for (let missing = ENOUGH - answersIn(ctx, id, "success").length; missing > 0; missing -= AT_ONCE) {
    const reads = Array.from({ length: Math.min(missing, AT_ONCE) }, () => ctx.send(id, {}, { draft }));
    const answers = await Promise.all(reads);
    // One that fails is judged as it is.
    if (!answers.every(({ isSuccess }) => isSuccess)) return;
  }
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
