import { Inconclusive, ifDecided, Violation } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { isListedAsPaid, openBook, settleAll } from "../../../fixtures/engine/lists/book.ts";
import { type Basis, type Check, checkOf } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import type { Run } from "../../../fixtures/engine/run/run.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import { questionsOf } from "../../../schemas/probes.ts";

/** The title of the checks that ask again. */
export const SAME_QUESTION = "responds in the same way when a request is repeated late in the run";

/** The id of the check that asks an operation again. */
export const sameQuestion = (id: OperationId) => `${id}/same-question`;

/** Fails the one check that names a deployment which accepts its key only sometimes. */
export function expectKeyAlwaysAccepted({ run, info }: CheckContext) {
  const { proof } = run.keyRefusals;
  if (!proof || proof.rejected.operation.id !== info.operation) return;
  const { accepted, rejected } = proof;
  const actual = `${rejected.outcome} to a request with the key, and ${accepted.outcome} to the same request at other times: an instance of the API may not know the key`;
  throw new Violation(rejected, actual, "the same response, whichever instance gets the request", [accepted]);
}

/** Names the check that the invalid requests of an operation create nothing. */
export const leaveNothing = (id: OperationId) => ({
  id: `${id}/rejections/leave-nothing`,
  title: `creates nothing when it refuses ${contract[id].noun} as invalid`,
});

/** What this check rests on for transfers. */
export const TRANSFERS_LEAVE_NOTHING = { must: ["R083", "R086"] } as const satisfies Basis;

const ID = "createTransfer";
const LEAVE_NOTHING = leaveNothing(ID);

/** The end of a run takes no longer, and less time after `--max-minutes`; an interrupt leaves it a few seconds. */
const LONGEST_MS = 5 * 60_000;
const LONGEST_AFTER_STOP_MS = 30_000;
const LONGEST_AFTER_INTERRUPT_MS = 2_500;

/**
 * The checks that every run performs at its end, whatever was selected, unless there is nothing to judge. One that does
 * not pass is reported under its id; a run that selected the check of that id has its verdict already.
 */
export const FINAL_CHECKS: readonly ((run: Run) => Check | undefined)[] = [
  (run) => (notLookedUp(run).size > 0 ? REJECTED_TRANSFERS : undefined),
  ({ keyRefusals: { proof } }) => {
    if (!proof) return undefined;
    const id = proof.rejected.operation.id as OperationId;
    const must = questionsOf(contract[id]).requirements;
    return checkOf(sameQuestion(id), SAME_QUESTION, { must, runsAfterStop: true }, async (ctx) =>
      expectKeyAlwaysAccepted(ctx),
    );
  },
];

const REJECTED_TRANSFERS = checkOf(
  LEAVE_NOTHING.id,
  LEAVE_NOTHING.title,
  { ...TRANSFERS_LEAVE_NOTHING, runsAfterStop: true },
  expectNonePaid,
);

/** The transfers that were rejected whenever they were sent, and that no check has looked up, by reference. */
function notLookedUp(run: Run): ReadonlyMap<string, ApiResponse> {
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

/** What was paid although it was rejected counts after all, and the last of it is shown. */
async function expectNonePaid(ctx: CheckContext) {
  const { run, created } = ctx;
  const rejected = notLookedUp(run);
  const isInterrupted = run.stopped === "interrupted";
  if (!isInterrupted) await settleAll(ctx);
  const isPaid = await payoutReader(ctx);
  const longest = run.stopped ? LONGEST_AFTER_STOP_MS : LONGEST_MS;
  const deadline = performance.now() + (isInterrupted ? LONGEST_AFTER_INTERRUPT_MS : longest);
  let left = rejected.size;
  let violation: Violation | undefined;
  for (const [reference, response] of rejected) {
    if (performance.now() > deadline) break;
    left -= 1;
    if (!(await isPaid(reference))) continue;
    run.stopPaying(reference, LEAVE_NOTHING.id);
    created.push({ operation: ID, reference, at: response.startedAt.toISOString() });
    const actual = `${response.outcome}, but the transfer is listed afterwards`;
    violation = new Violation(response, actual, "no trace of a rejected request");
  }
  if (violation) throw violation;
  if (left > 0)
    throw new Inconclusive(`${left} of ${rejected.size} rejected transfers could not be looked up in time`, {
      advice: "raise RATE_LIMIT, or select fewer checks",
    });
}

/** Reads one page for each reference if an accepted transfer has shown how they are listed, and several otherwise. */
async function payoutReader(ctx: CheckContext): Promise<(reference: string) => Promise<boolean>> {
  // Without it, a transfer would be sent now; after an interrupt, nothing waits for a transfer to settle.
  const hasControl = ctx.run.isKnown(`control/${ID}`) && ctx.run.stopped !== "interrupted";
  const book = hasControl ? await ifDecided(openBook(ctx)) : undefined;
  if (!book) return (reference) => isListedAsPaid(ctx, reference);
  return async (reference) => ((await book.ofRejected(reference))?.paid ?? 0) > 0;
}
