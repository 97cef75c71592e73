import type { Answer } from "../../fixtures/http/answer.ts";
import { countable } from "../../fixtures/lists/counting.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";

const ID = "createTransfer";

/** Prepares one transfer that a check sends several times; learns first how the list counts transfers. */
export async function repeatedTransfer(ctx: CheckContext) {
  const how = await countable(ctx);
  const draft = ctx.draft(ID);
  const answers: Answer[] = [];
  return {
    draft,
    reference: draft.reference,
    how,
    /** The answers so far, in the order in which they arrived. */
    answers,
    /** Sends the transfer with `change` applied to its body. */
    send: (change: Readonly<Record<string, unknown>> = {}, options: SendOptions = {}) =>
      ctx.send(
        ID,
        {},
        { draft: { ...draft, body: { ...draft.body, ...change } }, repeats: answers, ...options },
      ),
  };
}
