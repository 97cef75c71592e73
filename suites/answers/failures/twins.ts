import type { Answer } from "../../../fixtures/http/answer.ts";
import { textSent } from "../../../fixtures/http/sent.ts";
import { NOT_ABOUT_CONTENT, operationOf } from "../../../fixtures/judge/matchers.ts";
import type { CheckContext } from "../../../fixtures/run/check-context.ts";
import { sent } from "../judged-answers.ts";

/** A payment that is accepted so soon after its twin was rejected meets no limit, and no rule against duplicates. */
const SOON_MS = 1_000;

/** Whether the service itself failed: a 502, 503 or 504 without JSON may come from something in front of it. */
export const isOwnFailure = (answer: Answer): boolean =>
  answer.isServerError &&
  !answer.isThrottled &&
  (!answer.jsonProblem || ![502, 504].includes(answer.status ?? 0));

/** What two requests have in common that differ only in a value that the suite makes up for each. */
export function kindOfRequest(ctx: CheckContext, answer: Answer): string {
  const { method, path } = answer.request;
  const boundary = /boundary=(.*)/.exec(sent(answer, "content-type").join())?.[1];
  const text = [referenceOf(ctx, answer), boundary]
    .filter((part) => part !== undefined)
    .reduce((rest, part) => rest.replaceAll(part, "[NEW]"), textSent(answer));
  return [method, path, sent(answer, "authorization").join(), text].join(" ");
}

/** Whether the run has sent a request of the same kind with another value of its own. */
export const hasTwin = (ctx: CheckContext, answer: Answer): boolean =>
  ctx.run
    .answersTo(operationOf(answer))
    .some(
      (other) =>
        kindOfRequest(ctx, other) === kindOfRequest(ctx, answer) &&
        referenceOf(ctx, other) !== referenceOf(ctx, answer),
    );

/** The first of some requests of one kind that failed although another one was accepted, with that one. */
export function failedThoughAccepted(ctx: CheckContext, twins: readonly Answer[]) {
  const inOrder = twins.toSorted((one, other) => startOf(one) - startOf(other));
  const accepted = inOrder.filter(({ isSuccess }) => isSuccess);
  if (accepted.length === 0) return undefined;
  for (const failed of inOrder) {
    const before = accepted.find((other) => endOf(other) <= startOf(failed));
    const other = before ?? accepted.find((one) => showsRejection(failed, one));
    if (other && isFault(ctx, failed, inOrder)) return { failed, other, when: before ? "before" : "at once" };
  }
  return undefined;
}

/** Whether a creation was accepted so soon after its rejection that only chance can have decided. */
const showsRejection = (failed: Answer, accepted: Answer) =>
  failed.operation.effect === "create" && isRejection(failed) && isSoonAfter(failed, accepted);

function isFault(ctx: CheckContext, failed: Answer, twins: readonly Answer[]): boolean {
  if (!isOwnFailure(failed) && !(isRejection(failed) && isUnexplained(failed, twins))) return false;
  const reference = referenceOf(ctx, failed);
  const same = twins.filter((other) => other !== failed && referenceOf(ctx, other) === reference);
  if (reference === undefined) return true;
  // A form that the run gave up may be rejected, and so may a reference that was used, or is being used.
  const isUsed = same.some((other) => startOf(other) < endOf(failed));
  return ctx.run.builder.isInUsualForm(reference) && !isUsed;
}

/** A 4xx of the service about the content of the request. */
const isRejection = ({ is4xx, complete, status = 0 }: Answer) =>
  complete && is4xx && !NOT_ABOUT_CONTENT.includes(status);

/** Whether nothing that happened meanwhile explains why a valid request was rejected. */
function isUnexplained(failed: Answer, twins: readonly Answer[]): boolean {
  const { effect, method, list } = failed.operation;
  // What is created meanwhile changes the answer to a question that a POST asks, and a filter may find nothing.
  if (effect === "read") return method === "GET" && !(list && failed.status === 404);
  if (effect !== "money") return true;
  return twins.some((other) => other.isSuccess && isSoonAfter(failed, other));
}

const isSoonAfter = (failed: Answer, other: Answer) =>
  startOf(other) >= endOf(failed) && startOf(other) < endOf(failed) + SOON_MS;

const referenceOf = ({ run }: CheckContext, answer: Answer) => run.builder.referenceIn(textSent(answer));

const startOf = ({ startedAt }: Answer) => startedAt.getTime();
/** Rounded down, as a moment is written in whole milliseconds: what follows at once is no overlap. */
const endOf = (answer: Answer) => Math.floor(startOf(answer) + answer.durationMs) - 1;
