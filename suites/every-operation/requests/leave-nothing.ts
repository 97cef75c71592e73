import { isListedAsPaid, openBook } from "../../../fixtures/engine/lists/book.ts";
import type { Run } from "../../../fixtures/engine/run/run.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  ifDecided,
  listOf,
  needBook,
  undecided,
  Violation,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { findMade, listFilledBy } from "../values/find-made.ts";

/** Demands that the rejected requests of the run that `isMeant` selects have created nothing. */
export async function expectNothingMade(
  ctx: CheckContext,
  id: OperationId,
  isMeant: (response: ApiResponse) => boolean,
) {
  const { notTested } = await ctx.control(id);
  if (notTested) throw notTested;
  const { run } = ctx;
  // The list or the link check may reject references in other forms.
  const sent = withReference(run, id).filter(({ reference }) => run.builder.isInUsualForm(reference));
  // What was put off may be sent again.
  const complete = sent.filter(({ response }) => response.complete && response.kind !== "unavailable");
  const rejected = alwaysRejected(run, id, complete).filter(({ response }) => isMeant(response));
  if (rejected.length === 0) undecided("no request with a reference of its own was rejected");
  await ctx.settled();
  const { effect, fresh, foundBy }: Operation = contract[id];
  const isMade = async (reference: string) =>
    effect === "money"
      ? (await needBook(ctx)).paysRejected(reference)
      : (await findMade(ctx, id, reference)).isShown;
  if (await isMade(run.builder.fresh(fresh)))
    undecided(`for a reference that was never sent, ${foundBy?.shows} too, so this proves nothing`);
  const made = sent.filter(
    ({ response }) => response.kind === "done" && response.isSentWith(ctx.target.secretKey),
  );
  for (const { response, reference } of await perhapsListed(ctx, id, rejected, made)) {
    if (!(await isMade(reference))) continue;
    ctx.note(response);
    const actual = `${response.outcome}, but ${foundBy?.shows} afterwards`;
    demand(false, response, actual, "no trace of a rejected request");
  }
}

/** A request of the run, by the reference, link or code that it has. */
interface Sent {
  readonly response: ApiResponse;
  readonly reference: string;
}

const withReference = (run: Run, id: OperationId): Sent[] =>
  run.responsesTo(id).flatMap((response) => {
    const reference = run.builder.referenceIn(response.textSent);
    return reference === undefined ? [] : [{ response, reference }];
  });

/** Of these requests, those whose reference was rejected every time it was sent, each with its last rejection. */
function alwaysRejected(run: Run, id: OperationId, sent: readonly Sent[]): Sent[] {
  const isCertain = ({ reference }: Sent) =>
    run.naming(id, reference).every(({ carriedOut }) => carriedOut === "no");
  return [...new Map(sent.filter(isCertain).map((one) => [one.reference, one])).values()];
}

/** A list is read whole if that takes this many times fewer requests than to ask it for each reference. */
const FEWER = 4;

/**
 * The rejected requests that may have left a record: those whose reference the whole list shows. These are all of them if
 * no list shows such records, if it is long, or if it lacks one that the run made, since it may then lack others too.
 */
async function perhapsListed(ctx: CheckContext, id: OperationId, rejected: Sent[], made: readonly Sent[]) {
  const list = listFilledBy(id);
  const pages = list && (await ifDecided(listOf(ctx, list.id).whole(rejected.length / FEWER)));
  if (!pages || made.length === 0) return rejected;
  const text = pages.map(({ response }) => response.text.toLowerCase()).join("\n");
  const isShown = ({ reference }: Sent) => text.includes(reference.toLowerCase());
  if (!made.every(isShown)) return rejected;
  for (const one of rejected) if (!isShown(one)) ctx.run.unpaid.add(one.reference);
  return rejected.filter(isShown);
}

const ID = "createTransfer";

/** The end of a run takes no longer; an interrupt leaves it a few seconds. */
const LONGEST_MS = 5 * 60_000;
const LONGEST_AFTER_INTERRUPT_MS = 2_500;

/** The transfers that were rejected whenever they were sent, and that no check has looked up, by reference. */
export function notLookedUp(run: Run): readonly Sent[] {
  const rejected = run.ledger.givenBack(ID);
  const isOpen = ({ reference }: Sent) => rejected.has(reference) && !run.unpaid.has(reference);
  return alwaysRejected(run, ID, withReference(run, ID).filter(isOpen));
}

/** Demands that no rejected transfer was paid; what was paid counts after all, and the last of it is shown. */
export async function expectNonePaid(ctx: CheckContext) {
  const { run, created } = ctx;
  const rejected = notLookedUp(run);
  const isInterrupted = run.isInterrupted;
  if (!isInterrupted) await ctx.settled();
  const isPaid = await payoutReader(ctx);
  const deadline = performance.now() + (isInterrupted ? LONGEST_AFTER_INTERRUPT_MS : LONGEST_MS);
  let left = rejected.length;
  let violation: Violation | undefined;
  for (const { reference, response } of rejected) {
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
    undecided(`${left} of ${rejected.length} rejected transfers could not be looked up in time`, {
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
