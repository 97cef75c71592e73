import type { Answer } from "../../fixtures/http/answer.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import type { OperationId } from "../../schemas/contract.ts";
import type { Change } from "../../schemas/operation.ts";
import { harmless } from "../protocol/consent.ts";

/** The answer to the operation's ordinary request with other credentials, sent once per run. */
export async function answerTo(
  ctx: CheckContext,
  id: OperationId,
  name: string,
  options: SendOptions,
  change: Change = {},
) {
  const answer = await ctx.once(`auth/${id}/${name}`, () => {
    const built = harmless(ctx, id, change);
    // Without a body nothing can move.
    const draft = options.bytes === "" ? { ...built, stake: undefined } : built;
    return sendInvalidWithRetry(ctx, id, {}, { ...options, draft });
  });
  expectAnswered(answer);
  return answer;
}

/** Whether the API rejected the key, and so did not look at the request. */
export const isUnauthenticated = ({ status }: Answer) => status === 401 || status === 403;

/** What became of a request, for an observation. */
export function fateOf(answer: Answer): string {
  if (answer.is2xx) return "accepted";
  return answer.status === undefined ? "not answered" : `rejected with ${answer.status}`;
}
