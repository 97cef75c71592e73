import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { claimRefund, refundDraft } from "../../fixtures/run/single-use.ts";

/** Enough simultaneous requests to show a lock that is taken too late. */
const RACERS = 5;

/** Sends one refund five times at once, and a sixth time after all five are answered; does so once per run. */
export async function refundSixTimes(ctx: CheckContext) {
  const repeated = await ctx.run.once("refund/six-times", async () => {
    const draft = refundDraft(ctx, claimRefund(ctx));
    const send = () => ctx.send("refundTransaction", {}, { draft });
    const sent = Array.from({ length: RACERS }, send);
    await Promise.allSettled(sent);
    return { racing: await Promise.all(sent), later: await send() };
  });
  for (const answer of [...repeated.racing, repeated.later]) ctx.note(answer);
  return repeated;
}
