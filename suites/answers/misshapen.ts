import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { type Direction, directionOf } from "./judged-answers.ts";

/** How many answers with a wrong body a check keeps as evidence. */
const KEPT = 3;

/** A number of answers in words: `1 success`, `44 successes`. */
export const counted = (count: number, direction: Direction) =>
  `${count} ${direction}${count === 1 ? "" : { success: "es", rejection: "s" }[direction]}`;

/** What the judge of a shape found among the recorded answers of an operation. */
export interface Misshapen {
  readonly direction: Direction;
  readonly judged: readonly Answer[];
  /** What is wrong with the first answer, and so on. */
  readonly violations: readonly Violation[];
}

/** The recorded answers in one direction whose body the specification shows. */
export const answersIn = ({ run, target }: CheckContext, id: OperationId, direction: Direction) =>
  (run.answers.get(id) ?? []).filter((answer) => directionOf(answer, target) === direction);

/** Judges the shape of every recorded answer in one direction; `expectShape` throws a `Violation` if it is wrong. */
export function judgeShapes(
  ctx: CheckContext,
  id: OperationId,
  direction: Direction,
  expectShape: (answer: Answer) => void,
): Misshapen {
  const judged = answersIn(ctx, id, direction);
  const violations = judged.flatMap((answer) => violationIn(() => expectShape(answer)) ?? []);
  return { direction, judged, violations };
}

/**
 * Demands that no answer has the wrong shape, and says how many have. If all have it, `check` may name the check of
 * a single request that fails for the same reason.
 */
export function expectNoneMisshapen(
  ctx: CheckContext,
  { direction, judged, violations }: Misshapen,
  check: string | undefined,
) {
  const [first] = violations;
  if (!first) return;
  if (check && violations.length === judged.length)
    throw new Inconclusive(
      `every ${direction} of this run (${judged.length}) has an undocumented form`,
      check,
    );
  // The last one noted is shown as a command.
  for (const { answer } of violations.slice(0, KEPT).toReversed()) ctx.note(answer);
  const { answer, actual, expected } = first;
  const query = /\?.*/.exec(answer.request.path)?.[0];
  const share = `returned ${violations.length} of ${counted(judged.length, direction)}`;
  const asked = query ? ` for ${query}` : "";
  throw new Violation(
    answer,
    `${share} in an undocumented form; the first ${actual}${asked}`,
    `${expected} every time`,
  );
}

function violationIn(judge: () => void): Violation | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}
