import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { type PartialRequest, sendPartially } from "../../fixtures/http/partial-request.ts";
import { expectPaidOnce, show } from "../../fixtures/judge/repeats.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";
import { readUntil } from "../settling/read-until.ts";

/** Sends a transfer and closes the connection before the response is read (`abandon`) or the last byte sent (`cut`). */
export const closing =
  (
    { target }: CheckContext,
    how: Exclude<keyof PartialRequest, "release">,
  ): NonNullable<SendOptions["via"]> =>
  async (request, sending) =>
    (await sendPartially(target, contract.createTransfer, request, sending))[how]();

/** Half the usual duration of a transfer in milliseconds: the first request may still run when the retry arrives. */
export function shorterThanUsual({ run }: CheckContext): number {
  const durations = (run.answers.get("createTransfer") ?? [])
    .filter(({ isSuccess }) => isSuccess)
    .map(({ durationMs }) => durationMs)
    .toSorted((a, b) => a - b);
  const usual = durations[Math.floor(durations.length / 2)] ?? run.target.timeoutMs;
  return Math.max(1, Math.floor(usual / 2));
}

/**
 * Judges the rejected retry of a lost request. The rejection is right if the lost request was paid; it is a critical
 * warning if nothing was paid.
 */
export async function judgeRejectedRetry(ctx: CheckContext, reference: string, answers: readonly Answer[]) {
  // A request that is still in progress is listed later.
  const shown = await readUntil(
    ctx,
    1,
    () => show(ctx, reference),
    (seen) => seen?.all !== 0,
  );
  if (shown && shown.all > 0) {
    if (shown.surplus) await expectPaidOnce(ctx, reference, answers);
    return;
  }
  const retry = answers.at(-1);
  if (!shown || !retry || retry.isThrottled || retry.status === undefined || retry.is5xx)
    throw new Inconclusive("the retry was not accepted, and the outcome of the lost request is unknown");
  ctx.warn(
    "rejected the retry of a lost request that it never paid: the reference is used up without a payout",
    { critical: true },
  );
}
