import { type Book, isListedAsPaid, isPaid } from "../../fixtures/engine/lists/book.ts";
import { holds } from "../../fixtures/engine/lists/counting.ts";
import { type ApiResponse, type CheckContext, demand, listOf } from "../../fixtures/engine/vocabulary.ts";
import { transfers } from "./end-of-run.ts";

/**
 * Looks up transfers that the API says it rejected; what it paid all the same counts against the budget. A success
 * without transactionId has the same fields as a rejection, so only the list shows which one it is.
 */
export async function expectUnpaid(ctx: CheckContext, refused: readonly ApiResponse[]) {
  const { settling } = ctx.run;
  if (refused.length > 0) await settling.pause();
  let first: ApiResponse | undefined;
  for (const response of refused) {
    const reference = response.requireReference();
    // A rejected transfer may be recorded, and take a while to reach a status that pays nothing.
    const look = () => isListedAsPaid(ctx, reference);
    if (!(await settling.until(look, (isPaid) => !isPaid))) continue;
    ctx.run.stopPaying(reference, ctx.info.id);
    first ??= response;
  }
  if (!first) return;
  const isDone = first.statusClass === 2;
  const actual = `${first.outcome}${isDone ? " without transactionId" : ""}, but lists the transfer as paid`;
  const expected = isDone
    ? "transactionId in the response to an accepted transfer"
    : "no payout for a rejected request";
  demand(false, first, actual, expected);
}

/** How many of the transfers that got a 5xx are looked up: each takes up to eight reads. */
const MOST_LOOKED_UP = 20;

/** The 5xx to a transfer of the run that no other response acknowledges, but that is listed as paid. */
export async function brokenButPaid(ctx: CheckContext): Promise<ApiResponse | undefined> {
  const crashed = transfers(ctx).flatMap(({ reference, responses }) => {
    const response = responses.find(({ statusClass }) => statusClass === 5);
    const sent = ctx.run.naming("createTransfer", reference);
    const isAlone = sent.every(({ statusClass, carriedOut }) => statusClass === 5 || carriedOut === "no");
    return response && isAlone ? [{ reference, response }] : [];
  });
  if (crashed.length > 0) await ctx.settled();
  for (const { reference, response } of crashed.slice(0, MOST_LOOKED_UP))
    if (await isListedAsPaid(ctx, reference)) return response;
  return undefined;
}

/** The statuses under which a transfer is listed, in words; and whether one says that it is paid, or that it is not. */
export async function standingOf(book: Book, reference: string) {
  const { sets } = await book.of(reference);
  const statuses = sets.flatMap(({ status, number }) => (number > 0 ? [status] : []));
  return {
    shown: statuses.join(" and as ") || "none",
    isPaid: statuses.some(isPaid),
    isUnpaid: statuses.some((status) => !isPaid(status) && status !== "Unverified"),
  };
}

/** The list of Successful transfers if it has this one; rows of another merchant's are for the checks of the list. */
export async function listedAsSuccessful(ctx: CheckContext, transfer: ApiResponse, theirs: ApiResponse) {
  const filter = { transferReference: transfer.requireReference(), status: "Successful" };
  const { response, items } = await listOf(ctx, "listTransfers").widest(filter);
  const isTheirs = (row: unknown) => holds(row, String(theirs.field("transactionId")));
  return items.some((row) => !isTheirs(row)) ? response : undefined;
}
