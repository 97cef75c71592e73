import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { Inconclusive, ifDecided } from "../../../fixtures/engine/http/findings.ts";
import { textSent } from "../../../fixtures/engine/http/sent.ts";
import { expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { type Control, controlOf } from "../../../fixtures/engine/run/control.ts";
import { groupBy } from "../../../reports/grouping.ts";
import {
  contract,
  documentsRejection,
  documentsSuccess,
  type OperationId,
} from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { answerToDefect, invalidRequests } from "../statuses-and-bodies/requests.ts";
import { answersIn, type Direction } from "./judged-answers.ts";

/** So many answers show, with 95 % certainty, a defect of one in eight. */
const ENOUGH = 23;
const AT_ONCE = 4;
/** Reading is free only while answers are small: after so many bytes, those that came have to do. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The answers of the operation in this run; its ordinary request is sent first. */
export async function answersOf(ctx: CheckContext, id: OperationId): Promise<readonly Answer[]> {
  const { notTested } = await enoughAnswers(ctx, id);
  const answers = ctx.run.answersTo(id).filter(({ status }) => status !== undefined);
  if (answers.length === 0) throw notTested ?? new Inconclusive("no response arrived");
  return answers;
}

/**
 * The control of the operation; once per run, a read is sent, as it is accepted and as it is rejected, until there are
 * enough answers of both kinds to judge, since reading is free and some defects show only now and then.
 */
export async function enoughAnswers(ctx: CheckContext, id: OperationId): Promise<Control> {
  const control = await controlOf(ctx, id);
  const operation: Operation = contract[id];
  if (operation.effect !== "read" || !documentsSuccess(operation) || !control.accepted) return control;
  await ctx.run.once(`enough answers/${id}`, async () => {
    const draft = ctx.draft(id);
    await sendUntilEnough(ctx, id, "success", () => ctx.send(id, {}, { draft, retry: false }));
    const [defect] = documentsRejection(operation) ? invalidRequests(operation) : [];
    const rejected = defect && (await ifDecided(answerToDefect(ctx, id, defect)));
    if (defect && rejected?.handling === "rejected")
      await sendUntilEnough(ctx, id, "rejection", () => ctx.sendInvalid(id, defect.change, { retry: false }));
  });
  return control;
}

async function sendUntilEnough(
  ctx: CheckContext,
  id: OperationId,
  direction: Direction,
  send: () => Promise<Answer>,
) {
  const read = () => ctx.run.answersTo(id).reduce((sum, { bytes }) => sum + bytes.length, 0);
  let missing = ENOUGH - answersIn(ctx, id, direction).length;
  while (missing > 0 && read() < MOST_BYTES) {
    const count = read() > MOST_BYTES / AT_ONCE ? 1 : Math.min(missing, AT_ONCE);
    missing -= count;
    const answers = await Promise.all(Array.from({ length: count }, send));
    // One of another kind is judged as it is.
    if (!answers.every(({ isSuccess }) => isSuccess === (direction === "success"))) return;
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
