import type { Answer } from "../../fixtures/http/answer.ts";
import { expectAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { findsNothing, type Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** Demands that a list accepts a filter; warns if it returns 404 where the filter may find nothing. */
export async function expectFilterAccepted(ctx: CheckContext, id: OperationId, filter: Query) {
  await expectFilterAnswer(ctx, await sendWithRetry(ctx, id, { query: filter }), filter);
}

/** As {@link expectFilterAccepted}, of the answer to a filter. */
export async function expectFilterAnswer(ctx: CheckContext, answer: Answer, filter: Query) {
  if (!findsNothing(answer, filter)) return expectAccepted(ctx, answer, { ownData: true });
  const names = Object.keys(filter).join(" and ");
  ctx.warn(
    `returned 404 for a value of ${names} that may find nothing; expected 200 and a list without items`,
  );
}
