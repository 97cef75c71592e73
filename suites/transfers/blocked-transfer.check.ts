import { Inconclusive } from "../../fixtures/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { isPaid, needBook } from "../../fixtures/lists/book.ts";
import type { TransferStatus } from "../../fixtures/lists/transfer-counts.ts";
import { check } from "../../fixtures/run/check.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";

const ID = "createTransfer";

check(
  "createTransfer/blocked-is-not-paid",
  "pays nothing for a transfer that it blocks or rejects, at once or later",
  { must: ["R011", "R019", "R086"], pays: 1, scope: "blocked-transfer" },
  async (ctx) => {
    const body = ctx.need("BLOCKED_TRANSFER");
    const book = await needBook(ctx);
    const answer = await sendWithRetry(ctx, ID, { body });
    const reference = requireReferenceSent(answer);
    const isRejected = answer.carriedOut === "no";
    const read = async () => {
      const { sets } = await book.of(reference);
      return sets.flatMap(({ status, number }) => (number > 0 ? [status] : []));
    };
    // The last look of the run comes back to every rejected transfer.
    const isOver = (found: readonly TransferStatus[]) =>
      !found.some(isPaid) && (isRejected || found.some(isUnpaid));
    const found = await ctx.run.settling.until(read, isOver);
    const shown = found.join(" and as ") || "none";
    const paid = found.filter(isPaid);
    if (isRejected && paid.length > 0) ctx.run.stopPaying(reference, ctx.info.id);
    const contradicts = isRejected || found.some(isUnpaid);
    const actual = `${outcomeOf(answer)} and lists the transfer as ${shown}`;
    expectThat(!contradicts || paid.length === 0, answer, actual, "no payout for a blocked transfer");
    if (!contradicts)
      throw new Inconclusive(
        `${actual}, so it was not blocked: set BLOCKED_TRANSFER to a transfer that this deployment blocks or rejects within SETTLE_SECONDS`,
      );
    ctx.observe("N11", `a blocked transfer ${handlingOf(answer)}, and is listed as ${shown}`);
  },
);

const isUnpaid = (status: TransferStatus) => !isPaid(status) && status !== "Unverified";
