import { needDirectConnection, sendPartially } from "../../fixtures/engine/http/connection/transport.ts";
import { type CheckContext, type SendOptions, undecided } from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import {
  expectPaidOnce,
  listedPayouts,
  type RepeatedTransfer,
  repeatedTransfer,
} from "./repeated-transfer.ts";

const ID = "createTransfer";

type Via = NonNullable<SendOptions["via"]>;

/** Sends a transfer, but closes the connection before the response is read (`abandon`) or the last byte sent (`cut`). */
export function closing({ target }: CheckContext, how: "abandon" | "cut"): Via {
  needDirectConnection(target);
  return async (request, sending) =>
    (await sendPartially(target, contract.createTransfer, request, sending))[how]();
}

/** Sends a transfer that is rejected, and then corrected twice under its reference; once per run. */
export async function correctedTransfer(ctx: CheckContext) {
  const sent = await ctx.run.once(`${ID}/corrected`, async () => {
    const transfer = await repeatedTransfer(ctx);
    const rejected = await transfer.send({ amount: undefined });
    const corrected = await transfer.send();
    // The rejection must not have used up the memory of the reference either.
    await transfer.send();
    return { transfer, rejected, corrected };
  });
  for (const response of sent.transfer.responses) ctx.note(response);
  return sent;
}

/**
 * Judges the retry of a request that got no response. A rejection is right if that request was paid, or is listed as
 * rejected; if there is no trace of it, that is a critical finding: the client takes it for paid.
 */
export async function judgeRetry(ctx: CheckContext, transfer: RepeatedTransfer) {
  const { reference, responses } = transfer;
  if (responses.some(({ kind }) => kind === "done")) return expectPaidOnce(ctx, transfer);
  // A request that is still in progress is listed later.
  const look = () => listedPayouts(ctx, reference);
  const shown = await ctx.run.settling.until(look, (seen) => seen?.all !== 0);
  if (shown?.surplus) return expectPaidOnce(ctx, transfer);
  if (shown && shown.all > 0) return;
  const retry = responses.at(-1);
  if (!shown || !retry || retry.kind === "unavailable" || retry.kind === "crashed")
    undecided("the retry was not accepted, and the outcome of the lost request is unknown");
  ctx.warn(
    "rejected the retry of a lost request that it never paid: the reference is used up without a payout",
    {
      critical: true,
    },
  );
}
