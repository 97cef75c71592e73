import type { Answer } from "../../fixtures/http/answer.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { type Page, pageOf } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** Reads a page that the API may reject; a rejection shows no items. */
export async function readTolerated(ctx: CheckContext, id: OperationId, query: Query): Promise<Page> {
  const answer = await sendWithRetry(ctx, id, { query });
  expectAnswered(answer);
  return shownBy(ctx, id, answer);
}

/** Reads the items of an answer; none if it is not the documented success. */
export const shownBy = async (ctx: CheckContext, id: OperationId, answer: Answer): Promise<Page> =>
  answer.isSuccess ? pageOf(ctx, id, answer) : { answer, items: [] };
