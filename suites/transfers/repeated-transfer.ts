import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { expectPaidOnce } from "../../fixtures/engine/judge/repeats.ts";
import { openBook } from "../../fixtures/engine/lists/book.ts";
import { readWidest } from "../../fixtures/engine/lists/list.ts";
import { check } from "../../fixtures/engine/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/engine/run/check-context.ts";

const ID = "createTransfer";

/** One transfer that is sent several times, and the responses to it. */
export type RepeatedTransfer = Awaited<ReturnType<typeof repeatedTransfer>>;

/** Prepares one transfer that a check sends several times; learns first how the list counts transfers. */
export async function repeatedTransfer(ctx: CheckContext) {
  const book = await openBook(ctx);
  const draft = ctx.draft(ID);
  /** The responses so far, in the order in which they arrived. */
  const repeats: ApiResponse[] = [];
  const send = (change: Readonly<Record<string, unknown>> = {}, options: SendOptions = {}) => {
    const body = { ...draft.body, ...change };
    return ctx.send(ID, {}, { draft: { ...draft, body }, repeats, ...options });
  };
  return { draft, reference: draft.reference, book, responses: repeats, send };
}

/**
 * Registers that a reference is paid once, however `sends` repeats it. What `sends` returns, if anything, runs after
 * the judgement; a request that is lost or rejected may use up its reference, so at `least` payouts are made.
 */
export function paysOnce(
  name: string,
  when: string,
  least: 0 | 1,
  sends: (ctx: CheckContext, transfer: RepeatedTransfer) => Promise<unknown>,
) {
  const options = { must: ["R087"], pays: [least, 1] } as const;
  check(`${ID}/idempotency/${name}`, `pays once when ${when}`, options, async (ctx) => {
    const transfer = await repeatedTransfer(ctx);
    const afterwards = await sends(ctx, transfer);
    await expectPaidOnce(ctx, transfer.reference, transfer.responses);
    if (typeof afterwards === "function") afterwards();
  });
}

/** Sends an accepted transfer again, as it was. */
export async function sendAgain(ctx: CheckContext, first: ApiResponse) {
  const reference = first.requireReference();
  const responses = [first];
  await ctx.send(
    ID,
    {},
    { draft: { ...ctx.draft(ID), body: first.bodySent, reference }, repeats: responses },
  );
  return { reference, responses };
}

/** What the list shows under a reference. */
export const listedUnder = (ctx: CheckContext, transferReference: string) =>
  readWidest(ctx, "listTransfers", { transferReference });
