import type { Answer } from "../../fixtures/http/answer.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { claimRefund, refundDraft } from "../../fixtures/run/single-use.ts";

/** Enough to meet a lock that is taken too late. */
const RACERS = 5;

/** What became of the same refund, of the whole amount, several times. */
interface Repeated {
  readonly racing: readonly Answer[];
  readonly later: Answer;
}

/** Asks for one refund five times at once, and once more when all were answered; once per run. */
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

/** A part of an amount, whole where the amount is more than one. */
export const halfOf = (amount: number) => Math.floor(amount / 2) || amount / 2;
