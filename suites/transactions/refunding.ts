import type { Answer } from "../../fixtures/http/answer.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { claimRefund, refundDraft } from "../../fixtures/run/single-use.ts";

/** Enough simultaneous requests to show a lock that is taken too late. */
const RACERS = 5;

/** The answers to equal refunds of one whole transaction. */
interface Repeated {
  /** The answers to the requests that were sent at once. */
  readonly racing: readonly Answer[];
  /** The answer to the request that was sent after them. */
  readonly later: Answer;
}

/** Sends one refund five times at once, and a sixth time after all five are answered; does so once per run. */
export async function refundSixTimes(ctx: CheckContext): Promise<Repeated> {
  const repeated = await ctx.run.once("refund/six-times", async () => {
    const draft = refundDraft(ctx, claimRefund(ctx));
    const send = () => ctx.send("refundTransaction", {}, { draft });
    const settled = await Promise.allSettled(Array.from({ length: RACERS }, send));
    const racing = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failed = settled.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
    return { racing, later: await send() };
  });
  for (const answer of [...repeated.racing, repeated.later]) ctx.note(answer);
  return repeated;
}

/** Halves an amount; the result is a whole number if the amount is at least 2. */
export const halfOf = (amount: number) => Math.floor(amount / 2) || amount / 2;
