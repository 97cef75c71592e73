import { PREFIX } from "../../fixtures/config/target.ts";
import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { referenceSent } from "../../fixtures/http/sent.ts";
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
export function answersIn(ctx: CheckContext, id: OperationId, direction: Direction): Answer[] {
  const recorded = ctx.run.answersTo(id).filter((answer) => !isFromElsewhere(ctx, id, answer));
  const answers = recorded.map((answer) => ({ answer, as: directionOf(answer, ctx.target) }));
  const isSuccessInWords = wordsOfSuccess(answers.map(({ answer }) => answer));
  return answers.flatMap(({ answer, as }) =>
    (as === "rejection" && isSuccessInWords(answer) ? "success" : as) === direction ? [answer] : [],
  );
}

/** Whether a path was missing because it has the form that this deployment does not use. */
function isFromElsewhere({ run, target }: CheckContext, id: OperationId, { status, request }: Answer) {
  const base = new URL(target.baseUrl).pathname.replace(/\/$/, "");
  const isPrefixed = request.path.slice(base.length).startsWith(`${PREFIX}/api/`);
  return (status === 404 || status === 405) && isPrefixed !== (run.settings.pathForms[id] === "prefixed");
}

/**
 * Recognises a success whose identifier is null: its status is a word that successes have and that not
 * every rejection has. A repeated reference may be answered in the words of the first request.
 */
function wordsOfSuccess(answers: readonly Answer[]): (answer: Answer) => boolean {
  const wordOf = (answer: Answer) => answer.field("status");
  const successes = new Set(answers.filter(({ isSuccess }) => isSuccess).map(wordOf));
  const isTold = answers.some((answer) => !answer.isSuccess && !successes.has(wordOf(answer)));
  const references = answers.map(referenceSent);
  return (answer) => {
    const { success, recordedRejection } = answer.operation;
    if (!isTold || !answer.is2xx || success.has === undefined || answer.field(success.has) !== null)
      return false;
    const isRecord = recordedRejection?.values.some((word) => word === wordOf(answer));
    const isRepeated = references.filter((other) => other === referenceSent(answer)).length > 1;
    return successes.has(wordOf(answer)) && !isRecord && !isRepeated;
  };
}

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
  for (const { answer } of violations.slice(0, KEPT)) ctx.note(answer);
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
