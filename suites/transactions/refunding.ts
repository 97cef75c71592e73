import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { claimRefund, refundDraft } from "../../fixtures/refunds.ts";

/** Enough to meet a lock that is taken too late. */
const RACERS = 5;

/** What became of the same refund, of the whole amount, several times. */
interface Repeated {
  readonly racing: readonly Answer[];
  readonly later: Answer;
}

/** Asks for one refund five times at once, and once more when all were answered; once per run. */
export async function refundSixTimes(bench: Bench): Promise<Repeated> {
  const repeated = await bench.run.shared("refund/six-times", async () => {
    const draft = refundDraft(bench, claimRefund(bench));
    const send = () => bench.send("refundTransaction", {}, { draft });
    const settled = await Promise.allSettled(Array.from({ length: RACERS }, send));
    const racing = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failed = settled.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
    return { racing, later: await send() };
  });
  for (const answer of [...repeated.racing, repeated.later]) bench.note(answer);
  return repeated;
}

/** A part of an amount, whole where the amount is more than one. */
export const halfOf = (amount: number) => Math.floor(amount / 2) || amount / 2;
