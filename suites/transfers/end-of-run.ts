import {
  type Book,
  isListedAsPaid,
  isPaid,
  needBook,
  type Repeated,
} from "../../fixtures/engine/lists/book.ts";
import { holds, type TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  listOf,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../reports/grouping.ts";
import {
  expectPaidOnce,
  identifiers,
  lastOf,
  listedPayouts,
  listedUnder,
  sendAgain,
} from "./repeated-transfer.ts";
import { BEFORE_END, ENDS, isStatus, statusAt } from "./shown-status.ts";

const ID = "createTransfer";

/** The book of payouts once all of them have settled. */
export async function settledBook(ctx: CheckContext) {
  await ctx.ordinary(ID);
  await ctx.settled();
  return needBook(ctx);
}

/** The references of transfers that the operator says are blocked or rejected. */
export function referencesOfBlocked(ctx: CheckContext): string[] {
  const special = Object.entries(ctx.values.BLOCKED_TRANSFER ?? {});
  if (special.length === 0) return [];
  const isBlocked = ({ bodySent }: ApiResponse) => special.every(([name, value]) => bodySent[name] === value);
  return transfers(ctx).flatMap(({ reference, responses }) => (responses.some(isBlocked) ? [reference] : []));
}

/** Demands that the list finds a settled transfer only under the status that it shows. */
export async function expectStatusAsShown(ctx: CheckContext, book: Book, reference: string, path: string) {
  const isOther = (row: unknown, status: TransferStatus) => {
    const shown = statusAt(row, path);
    return shown !== undefined && shown !== status.toLowerCase() && isStatus(shown);
  };
  const wrong = async () =>
    (await book.of(reference)).sets.find(({ status, rows }) => rows.some((row) => isOther(row, status)));
  // The API may find out how a transfer ended while it lists it, so a difference must show twice.
  const found = (await wrong()) && (await ctx.run.settling.pause().then(wrong));
  if (!found) return;
  const shown = found.rows.map((row) => statusAt(row, path)).join(", ");
  const { response } = await listedUnder(ctx, reference);
  const actual = `lists a transfer of this run under status=${found.status}, which it shows as ${shown}`;
  demand(false, response, actual, "each transfer under the status that it shows");
}

/** How often a settled transfer is listed: of two instances in turn, other requests may leave the same one each time. */
const LOOKS = 4;

/** Demands that a settled transfer shows one status, whichever instance of the API is asked. */
export async function expectOneStatus(ctx: CheckContext, reference: string, path: string) {
  const differing = async () => {
    const looks = new Map<string, ApiResponse>();
    for (let look = 0; look < LOOKS; look += 1) {
      const { items, response } = await listedUnder(ctx, reference);
      const statuses = items.map((item) => statusAt(item, path)).toSorted();
      looks.set(statuses.join(" and ") || "none", response);
    }
    return looks.size > 1 ? looks : undefined;
  };
  // It may have changed just then.
  const found = (await differing()) && (await ctx.run.settling.pause().then(differing));
  const [one, other] = found ?? [];
  if (!one || !other) return;
  const actual = `lists a settled transfer as ${one[0]}, and as ${other[0]} in two responses to the same request`;
  demand(false, other[1], actual, "one status", [one[1]]);
}

/** How many transfers are looked up to find one that has settled. */
export const MOST_ASKED = 5;

/** The first of some transfers that is listed as Successful: an API may forget a reference when there is nothing left to do. */
export async function firstSettled<T extends { readonly first: ApiResponse }>(
  book: Book,
  transfers: readonly T[],
) {
  for (const one of transfers) if ((await book.rows(one.first.referenceSent, "Successful")) > 0) return one;
  return undefined;
}

/** Demands that a transfer that is sent once more is not paid again, and keeps the end that it had reached. */
export async function expectOnceAtEnd(ctx: CheckContext, book: Book, first: ApiResponse) {
  const end = await endOf(book, first.referenceSent);
  const sent = await sendAgain(ctx, first);
  const repeat = lastOf(sent.responses);
  const reset = end && (await end.isLeft());
  if (reset)
    ctx.warn(
      `lists a transfer that was ${end.status} as ${reset} once it is sent again: it may be paid once more; expected the status that it had`,
      { critical: true, response: repeat },
    );
  if (repeat.failure || repeat.isServerError)
    ctx.warn(
      `${repeat.outcome} to an accepted transfer that was sent again; expected its first response or a rejection`,
      { critical: true, response: repeat },
    );
  // No later check looks at it again, and a list may be cached.
  if (identifiers(sent.responses).size > 1) await ctx.run.settling.all();
  await expectPaidOnce(ctx, sent);
}

/**
 * The end that a transfer has reached, and how to find out which earlier status it has gone back to, if any; `undefined`
 * while it has not ended. Everything is read twice, so that an instance which lags behind the others is not blamed.
 */
async function endOf(book: Book, reference: string) {
  const rows = (status: TransferStatus) => book.rows(reference, status);
  const firstWith = async (statuses: readonly TransferStatus[]) => {
    for (const status of statuses) if ((await rows(status)) > 0) return status;
    return undefined;
  };
  const status = await firstWith(ENDS);
  if (!status || (await firstWith(BEFORE_END)) || (await rows(status)) === 0) return undefined;
  const isLeft = async () => {
    const earlier = await firstWith(BEFORE_END);
    const isGone = async () => earlier && (await rows(status)) === 0 && (await rows(earlier)) > 0;
    return (await isGone()) && (await isGone()) ? earlier : undefined;
  };
  return { status, isLeft };
}

/**
 * Returns what the settled list shows for a reference if that is wrong. It is read once for all checks, and again by a check
 * that finds it wrong.
 */
export async function showsInTheEnd(
  ctx: CheckContext,
  reference: string,
  isWrong: (shown: Repeated) => boolean,
) {
  const shown = await ctx.run.once(`in the end/${reference}`, () => listedPayouts(ctx, reference));
  if (!shown || !isWrong(shown)) return undefined;
  const again = await listedPayouts(ctx, reference);
  return again && isWrong(again) ? again : undefined;
}

/** Why nothing can be said of repeats. */
export const noneRepeated = () =>
  undecided("no reference was sent twice", { advice: "select createTransfer/idempotency/* as well" });

interface Transfer {
  readonly reference: string;
  readonly responses: readonly ApiResponse[];
}

/** The transfers that this run sent with the target's key, one for each reference. */
export function transfers({ run }: CheckContext): Transfer[] {
  const own = run.responsesTo(ID).filter((response) => response.isSentWith(run.target.secretKey));
  const known = groupBy(own, (response) => run.builder.referenceIn(response.textSent));
  return [...known].flatMap(([reference, responses]) =>
    reference === undefined ? [] : [{ reference, responses }],
  );
}

/**
 * Looks up transfers that the API says it rejected; what it paid all the same counts against the budget. A success
 * without transactionId has the same fields as a rejection, so only the list shows which one it is.
 */
export async function expectUnpaid(ctx: CheckContext, refused: readonly ApiResponse[]) {
  const { settling } = ctx.run;
  if (refused.length > 0) await settling.pause();
  let first: ApiResponse | undefined;
  for (const response of refused) {
    const reference = response.referenceSent;
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
  const isAlone = (reference: string) =>
    ctx.run
      .naming(ID, reference)
      .every(({ statusClass, carriedOut }) => statusClass === 5 || carriedOut === "no");
  const crashed = transfers(ctx).flatMap(({ reference, responses }) => {
    const response = responses.find(({ statusClass }) => statusClass === 5);
    return response && isAlone(reference) ? [{ reference, response }] : [];
  });
  if (crashed.length > 0) await ctx.settled();
  // Another check may have sent it again meanwhile.
  for (const { reference, response } of crashed.slice(0, MOST_LOOKED_UP))
    if ((await isListedAsPaid(ctx, reference)) && isAlone(reference)) return response;
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
  const filter = { transferReference: transfer.referenceSent, status: "Successful" };
  const { response, items } = await listOf(ctx, "listTransfers").widest(filter);
  const isTheirs = (row: unknown) => holds(row, String(theirs.field("transactionId")));
  return items.some((row) => !isTheirs(row)) ? response : undefined;
}
