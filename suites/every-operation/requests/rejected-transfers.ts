import { isListedAsPaid, openBook } from "../../../fixtures/engine/lists/book.ts";
import type { Run } from "../../../fixtures/engine/run/run.ts";
import {
  type ApiResponse,
  type CheckContext,
  ifDecided,
  undecided,
  Violation,
} from "../../../fixtures/engine/vocabulary.ts";

const ID = "createTransfer";

/** The end of a run takes no longer; an interrupt leaves it a few seconds. */
const LONGEST_MS = 5 * 60_000;
const LONGEST_AFTER_INTERRUPT_MS = 2_500;

/** The transfers that were rejected whenever they were sent, and that no check has looked up, by reference. */
export function notLookedUp(run: Run): ReadonlyMap<string, ApiResponse> {
  const { ledger, builder, unpaid } = run;
  const rejected = ledger.givenBack(ID);
  const sent = new Map<string, ApiResponse>();
  for (const response of run.responsesTo(ID)) {
    const reference = builder.referenceIn(response.textSent);
    const isOpen = reference && rejected.has(reference) && !unpaid.has(reference);
    if (isOpen && run.naming(ID, reference).every(({ carriedOut }) => carriedOut === "no"))
      sent.set(reference, response);
  }
  return sent;
}

/** Demands that no rejected transfer was paid; what was paid counts after all, and the last of it is shown. */
export async function expectNonePaid(ctx: CheckContext) {
  const { run, created } = ctx;
  const rejected = notLookedUp(run);
  const isInterrupted = run.isInterrupted;
  if (!isInterrupted) await ctx.settled();
  const isPaid = await payoutReader(ctx);
  const deadline = performance.now() + (isInterrupted ? LONGEST_AFTER_INTERRUPT_MS : LONGEST_MS);
  let left = rejected.size;
  let violation: Violation | undefined;
  for (const [reference, response] of rejected) {
    if (performance.now() > deadline) break;
    left -= 1;
    if (!(await isPaid(reference))) continue;
    run.stopPaying(reference, ctx.info.id);
    created.push({ operation: ID, reference, at: response.startedAt.toISOString() });
    const actual = `${response.outcome}, but the transfer is listed afterwards`;
    violation = new Violation(response, actual, "no trace of a rejected request");
  }
  if (violation) throw violation;
  if (left > 0)
    undecided(`${left} of ${rejected.size} rejected transfers could not be looked up in time`, {
      advice: "raise RATE_LIMIT, or select fewer checks",
    });
}

/** Reads one page for each reference if an accepted transfer has shown how they are listed, and several otherwise. */
async function payoutReader(ctx: CheckContext): Promise<(reference: string) => Promise<boolean>> {
  // Without it, a transfer would be sent now; after an interrupt, nothing waits for a transfer to settle.
  const hasControl = ctx.run.isKnown(`control/${ID}`) && !ctx.run.isInterrupted;
  const book = hasControl ? await ifDecided(openBook(ctx)) : undefined;
  if (!book) return (reference) => isListedAsPaid(ctx, reference);
  return async (reference) => ((await book.ofRejected(reference))?.paid ?? 0) > 0;
}
