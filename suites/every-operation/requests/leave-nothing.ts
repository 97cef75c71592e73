import {
  type ApiResponse,
  type CheckContext,
  demand,
  ifDecided,
  listOf,
  needBook,
  undecided,
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
  const rejected = alwaysRejected(ctx, id).filter(({ response }) => isMeant(response));
  if (rejected.length === 0) undecided("no request with a reference of its own was rejected");
  await ctx.settled();
  const { effect, fresh, foundBy }: Operation = contract[id];
  const isMade = async (reference: string) =>
    effect === "money"
      ? (await needBook(ctx)).paysRejected(reference)
      : (await findMade(ctx, id, reference)).isShown;
  if (await isMade(ctx.run.builder.fresh(fresh)))
    undecided(`for a reference that was never sent, ${foundBy?.shows} too, so this proves nothing`);
  for (const { response, reference } of await perhapsListed(ctx, id, rejected)) {
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

/** The requests of the run with a reference of their own; the list or the link check may reject others for their form. */
const withReference = ({ run }: CheckContext, id: OperationId): Sent[] =>
  run.responsesTo(id).flatMap((response) => {
    const reference = run.builder.referenceIn(response.textSent);
    const isUsual = reference !== undefined && run.builder.isInUsualForm(reference);
    return isUsual ? [{ response, reference }] : [];
  });

/** The requests of the run whose reference was rejected every time it was sent, each with one of its rejections. */
function alwaysRejected(ctx: CheckContext, id: OperationId): Sent[] {
  const isCertain = ({ response, reference }: Sent) =>
    response.complete && ctx.run.naming(id, reference).every(({ carriedOut }) => carriedOut === "no");
  const certain = withReference(ctx, id).filter(isCertain);
  return [...new Map(certain.map((one) => [one.reference, one])).values()];
}

/** A list is read whole if that takes this many times fewer requests than to ask it for each reference. */
const FEWER = 4;

/**
 * The rejected requests that may have left a record: those whose reference the whole list shows. These are all of them if
 * no list shows such records, if it is long, or if it lacks one that the run made, since it may then lack others too.
 */
async function perhapsListed(ctx: CheckContext, id: OperationId, rejected: Sent[]): Promise<Sent[]> {
  const made = withReference(ctx, id).filter(
    ({ response }) => response.kind === "done" && response.isSentWith(ctx.target.secretKey),
  );
  const list = listFilledBy(id);
  const pages = list && (await ifDecided(listOf(ctx, list.id).whole(rejected.length / FEWER)));
  if (!pages || made.length === 0) return rejected;
  const text = pages.map(({ response }) => response.text.toLowerCase()).join("\n");
  const isShown = ({ reference }: Sent) => text.includes(reference.toLowerCase());
  if (!made.every(isShown)) return rejected;
  for (const one of rejected) if (!isShown(one)) ctx.run.unpaid.add(one.reference);
  return rejected.filter(isShown);
}
