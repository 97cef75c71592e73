import { type Entry, needBook, openBook } from "../../fixtures/engine/lists/book.ts";
import { areEmpty, FIRST_PAGES } from "../../fixtures/engine/lists/counting.ts";
import type { KnownFilter } from "../../fixtures/engine/lists/known-filters.ts";
import { isPageRejected } from "../../fixtures/engine/run/paging.ts";
import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  countCommon,
  demand,
  demandDone,
  listOf,
  NotTested,
  type Page,
  pathsIn,
  scalars,
  skip,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../reports/grouping.ts";
import { plural } from "../../reports/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { expectDifferent } from "../every-operation/answers/recorded.ts";
import {
  expectOfPages,
  findMissing,
  findRepeated,
  lastFilledPage,
  readAt,
} from "../every-operation/lists/walk.ts";
import { expectNotPaidAgain, failAsLost, listedUnder, repeatable, sendAgain } from "./repeated-transfer.ts";
import { BEFORE_END, ENDS, statusAt, statusPath } from "./shown-status.ts";
import { readSets } from "./status-sets.ts";

const ID = "createTransfer";
const LIST = "listTransfers";
const check = checksUnder(ID, "after-writes");
const checkList = checksUnder(LIST, "after-writes");
const MUST_BE_LISTED = { runsAfterStop: true, must: ["R011", "R054", "R082"] } as const;

check("accepted-is-listed", "lists an accepted transfer under its reference", MUST_BE_LISTED, async (ctx) => {
  const response = await demandDone(ctx, ID);
  const book = await openBook(ctx);
  const transferReference = response.requireReference();
  const count = async () =>
    book ? book.rows(transferReference) : (await listedUnder(ctx, transferReference)).items.length;
  try {
    if ((await ctx.run.settling.until(count, (rows) => rows > 0)) > 0) return;
    await listOf(ctx, LIST).located();
  } catch (error) {
    const isEmpty = error instanceof NotTested && error.reason === "empty-list";
    if (!isEmpty || !(await isStillEmpty(ctx, transferReference))) throw error;
  }
  failAsLost(ctx, response);
});

/** Whether the list is empty, for a transfer of this run too, after SETTLE_SECONDS. */
async function isStillEmpty(ctx: CheckContext, transferReference: string): Promise<boolean> {
  const { widest: limit } = await listOf(ctx, LIST).sizes();
  const unused = await listOf(ctx, LIST).unusedText();
  const look = async () => {
    // Whether pages are counted from 1 or from 0 is undocumented.
    for (const page of FIRST_PAGES) {
      const read = async (filter: object) => ctx.sendAsGiven(LIST, { query: { limit, page, ...filter } });
      const all = [await read({}), await read({ transferReference })];
      const none = await read({ transferReference: unused });
      if (page === 0 && all.every(isPageRejected)) continue;
      if (![...all, none].every(({ isSuccess }) => isSuccess)) return false;
      if (
        !areEmpty(
          all.map(({ json }) => json),
          none.json,
        )
      )
        return false;
    }
    return true;
  };
  return ctx.run.settling.until(look, (isEmpty) => !isEmpty);
}

const ONE_STATUS = "lists an accepted transfer under exactly one status";
check("accepted-has-one-status", ONE_STATUS, { runsAfterStop: true, must: ["R011", "R019"] }, async (ctx) => {
  const book = await needBook(ctx);
  const transferReference = (await demandDone(ctx, ID)).requireReference();
  // The status may change between two of the seven reads (section 3), so a difference must show twice.
  const count = async () => spreadOf(await book.of(transferReference));
  const { sum, all, twice } = await ctx.run.settling.until(count, (spread) => spread.sum === spread.all);
  const { response } = await listedUnder(ctx, transferReference);
  const several = "lists an accepted transfer under several of the six statuses";
  demand(!twice, response, several, "each transfer under one of them");
  const none = "lists an accepted transfer by its reference, but under none of the six statuses";
  demand(all === 0 || sum > 0, response, none, "each transfer under one of them");
  if (sum > 0 && sum < all)
    ctx.observe("N04", "a row of an accepted transfer is listed under none of the six statuses");
});

const POLLED = "shows the end of a transfer to a client that keeps asking for its reference";
check("polled-status", POLLED, { should: ["R011", "R019"], pays: 1 }, async (ctx) => {
  const control = (await demandDone(ctx, ID)).requireReference();
  await needBook(ctx);
  const path = await statusPath(ctx);
  if (path === undefined) skip("the items of the list show no status of their own");
  if (isOpen(await listedUnder(ctx, control), path) && !(await ended(ctx, control, path)))
    skip("the first transfer of this run has not ended yet");
  const sent = await ctx.send(ID);
  if (!sent.isSuccess) undecided(`a further transfer ${sent.fate}`);
  const reference = sent.requireReference();
  const poll = () =>
    ctx.run.settling.until(
      () => listedUnder(ctx, reference),
      (page) => page.items.length > 0 && !isOpen(page, path),
      { isLater: true },
    );
  const isStuck = async (page: Page) =>
    page.items.length > 0 && isOpen(page, path) && ended(ctx, reference, path);
  // A response may lag behind by SETTLE_SECONDS, counted from the moment at which another one knows of the end.
  if (!(await isStuck(await poll()))) return;
  const polled = await poll();
  const end = await isStuck(polled);
  if (!end) return;
  const shown = statusAt(polled.items[0], path);
  const actual = `still shows a transfer as ${shown} when it is asked for by its reference, as it was all the time, although status=${end.status} finds it as ${end.status}`;
  demand(false, polled.response, actual, "one status for both", [end.response]);
});

/** Whether a list shows transfers that may still change their status, and no others. */
const isOpen = ({ items }: Page, path: string) =>
  items.every((item) => BEFORE_END.some((status) => statusAt(item, path) === status.toLowerCase()));

/** The status in which a transfer ended, and the response that finds and shows it under that one. */
async function ended(ctx: CheckContext, transferReference: string, path: string) {
  for (const status of ENDS) {
    const { response, items } = await listOf(ctx, LIST).widest({ transferReference, status });
    if (items.some((item) => statusAt(item, path) === status.toLowerCase())) return { status, response };
  }
  return undefined;
}

/** How many rows a transfer has, in all and under the six statuses; `twice` if one row is found by two of these. */
function spreadOf({ rows: all, sets }: Entry) {
  const sum = sets.reduce((total, { number }) => total + number, 0);
  const rows = sets.flatMap(({ rows }) => [...new Set(rows.map((row) => JSON.stringify(row)))]);
  // Without rows to compare, Unverified rows may be those of attempts, which the whole list need not show.
  const certain = sets.reduce(
    (total, { status, number }) => total + (status === "Unverified" ? 0 : number),
    0,
  );
  const twice = sum > all && (rows.length > 0 ? new Set(rows).size < rows.length : certain > all);
  return { sum, all, twice };
}

check("listed-fields", "fields of a listed transfer", { observe: "N04" }, async (ctx) => {
  const { response } = await ctx.control(ID);
  if (!response?.isSuccess) undecided("the ordinary transfer was not accepted", `${ID}/accepted`);
  const { items } = await listedUnder(ctx, response.requireReference());
  const values = items.flatMap((item) => scalars(item));
  const shows = (sent: unknown) =>
    values.some(([, value]) => String(value) === String(sent)) ? "shows" : "does not show";
  const sent = ctx.values.TRANSFER_AMOUNT;
  const [, amount] = values.find(([, value]) => value !== "" && Number(value) === sent) ?? [];
  const asAmount =
    amount === undefined
      ? "does not show the amount that was sent"
      : `shows the amount ${sent} as ${JSON.stringify(amount)}`;
  const fields = pathsIn(items).toSorted().join(", ") || "(none)";
  ctx.observe("N04", `a listed transfer ${asAmount}`);
  ctx.observe("N04", `a listed transfer ${shows(ctx.values.ACCOUNT_NUMBER)} the account number in full`);
  ctx.observe("N04", `a listed transfer has the fields ${fields}`);
});

const REPEATED_KINDS =
  "pays once when transfers with notes, cents, unusual references or headers are repeated at the end of the run";
check("idempotency/repeated-kinds", REPEATED_KINDS, { must: ["R087"] }, async (ctx) => {
  await needBook(ctx);
  const once = sentOnce(ctx).filter(({ textSent }) => !ctx.run.namesSingle(textSent));
  const varied = ctx.run.varied.map(({ response }) => response);
  const chosen = once.filter((response) => varied.includes(response));
  // Many others were paid since the first, and hardly any since the last.
  const [oldest] = once.length > 0 ? once : (await repeatable(ctx)).map(({ first }) => first);
  const repeated = [...new Set([...(oldest ? [oldest] : []), ...chosen, ...once.slice(-1)])];
  const again = await Promise.all(repeated.map((first) => sendAgain(ctx, first)));
  await ctx.run.settling.pause();
  await Promise.all(again.map((sent) => expectNotPaidAgain(ctx, sent)));
});

const UNIQUE = "returns a different transactionId for each transfer";
check("transactionId-unique", UNIQUE, { runsAfterStop: true, must: ["R010"] }, async (ctx) => {
  await ctx.ordinary(ID);
  // A server may take an unusual reference for another one, if they differ after many characters or in leading zeros.
  const usual = sentOnce(ctx).filter(({ referenceSent = "" }) => ctx.run.builder.isFresh(referenceSent));
  expectDifferent(ctx, usual, (response) => JSON.stringify(response.field("transactionId")), {
    repeated: (value) => `returned the transactionId ${value} for two transfers with different references`,
    expected: "an identifier of its own for each transfer",
    none: () =>
      undecided("no second transfer was accepted", { advice: `select ${ID}/optional-fields as well` }),
  });
});

/**
 * The accepted transfers whose reference was sent once. References count as the same if they differ only in letter
 * case, in accents or in spaces around them: a filter may find them all.
 */
function sentOnce({ run }: CheckContext): ApiResponse[] {
  const responses = run.responsesTo(ID).filter((response) => response.isSentWith(run.target.secretKey));
  const plain = ({ referenceSent = "" }: ApiResponse) =>
    referenceSent.toLowerCase().trim().normalize("NFD").replaceAll(/\p{M}/gu, "");
  return [...groupBy(responses, plain)].flatMap(([reference, [response, another]]) =>
    reference !== "" && response?.isSuccess && !another ? [response] : [],
  );
}

/** A longer list takes too many reads. */
const MOST_TRANSFERS = 500;

const PART_OF_ALL = "lists without a filter every transfer that a filter finds";
const OF_BOTH = { critical: ["R011", "R054"], scope: "paging" } as const;
checkList("status-sets-are-part-of-all", PART_OF_ALL, OF_BOTH, async (ctx) => {
  const { response: sent } = await ctx.control(ID);
  const transferReference = sent?.isSuccess ? sent.requireReference() : undefined;
  const identity = await listOf(ctx, LIST).identity();
  const { widest } = await listOf(ctx, LIST).sizes();
  // The API may return fewer than it is asked for.
  const { length } = (await listOf(ctx, LIST).first()).items;
  const look = async () => {
    const own = transferReference === undefined ? [] : [await listedUnder(ctx, transferReference)];
    const sets = (await readSets(ctx)).map((set) => ({ ...set, filter: `status=${set.status}` }));
    // The whole list is read last, so transfers that others add meanwhile can only be missing from the sets.
    const all = await listOf(ctx, LIST).whole(MOST_TRANSFERS / Math.min(widest, Math.max(1, length)));
    if (!all) undecided(`the list has more than ${MOST_TRANSFERS} transfers: too many to read`);
    const known = new Set(all.flatMap((page) => page.items.map(identity)));
    const pages = all.map(({ response }) => response);
    const found = [
      ...sets,
      ...own.map((page) => ({ ...page, filter: `transferReference=${transferReference}` })),
    ];
    return found.flatMap(({ items, filter, response }) => {
      const lacking = items.map(identity).filter((item) => !known.has(item));
      return lacking.map((item) => ({ filter, response, pages, key: `${filter} ${item}` }));
    });
  };
  const hidden = await ctx.run.settling.lasting(look, ({ key }) => key);
  // Rows under Unverified may be those of attempts, which the whole list need not show.
  const first = hidden.find(({ filter }) => filter !== OF_ATTEMPTS) ?? hidden[0];
  if (!first) return;
  const { filter, response, pages } = first;
  const number = hidden.filter((one) => one.filter === filter).length;
  const actual = `lists ${plural(number, "transfer")} for ${filter} that the whole list lacks`;
  const expected = "every transfer in the list without a filter";
  if (filter !== OF_ATTEMPTS) demand(false, response, actual, expected, pages);
  ctx.warn(`${actual}; expected ${expected}`, { response });
});

const OF_ATTEMPTS = "status=Unverified";

const options = { must: contract[LIST].list.paged.page, scope: "paging" } as const;

/** Reading more pages takes too long. */
const MOST_PAGES = 12;

const FILTERED_NEW_TRANSFER = "shows a new transfer on the pages of its status";
checkList("paging/filtered-new-transfer", FILTERED_NEW_TRANSFER, options, async (ctx) => {
  const { isShown, response, status } = await ctx.run.settling.until(
    () => lookUp(ctx),
    (found) => found.isShown,
  );
  const actual = `shows a transfer of this run for its reference and status=${status}, but on no page of status=${status}`;
  demand(isShown, response, actual, "the transfer on one of the pages");
});

const FILTERED_PAGES_AFTER_WRITES =
  "shows each item once, whatever the limit, on the pages of a status with new transfers";
checkList("paging/filtered-pages-after-writes", FILTERED_PAGES_AFTER_WRITES, options, async (ctx) => {
  // If two replicas take turns, one of them may lag behind for a while.
  await ctx.run.settling.pause();
  const known = await statusOfOwn(ctx);
  await expectOfPages(ctx, LIST, known, findRepeated);
  await expectOfPages(ctx, LIST, known, findMissing);
});

/** Finds the status of this run's first transfer, and what the widest page of that status shows. */
async function statusOfOwn(
  ctx: CheckContext,
): Promise<KnownFilter & { own: readonly unknown[]; status: string }> {
  const transferReference = (await demandDone(ctx, "createTransfer")).requireReference();
  // The most likely statuses of a new transfer come first.
  const likely = ["Pending", "Successful"];
  for (const status of [...likely, ...TRANSFER_STATUSES.filter((other) => !likely.includes(other))]) {
    const { items: own } = await listOf(ctx, LIST).widest({ transferReference, status });
    if (own.length > 0)
      return { own, status, filter: { status }, ...(await listOf(ctx, LIST).widest({ status })) };
  }
  undecided(
    "the list shows no transfer of this run for its reference and any status",
    "createTransfer/accepted-is-listed",
  );
}

/** Looks for a transfer of this run on the pages of its status: on the first ones, then on the last ones. */
async function lookUp(ctx: CheckContext) {
  const { own, filter, status } = await statusOfOwn(ctx);
  const identity = await listOf(ctx, LIST).identity();
  const origin = await listOf(ctx, LIST).origin();
  const { widest: limit } = await listOf(ctx, LIST).sizes();
  const read = (before: number) => readAt(ctx, { id: LIST, filter, origin }, limit, before);
  for (let before = 0; before < MOST_PAGES; before += 1) {
    const { response, items } = await read(before);
    if (countCommon(own, items, identity) > 0) return { isShown: true, response, status };
    if (items.length === 0) return { isShown: false, response, status };
  }
  const last = await lastFilledPage(MOST_PAGES - 1, async (page) => (await read(page)).items.length > 0);
  for (const before of [last, last - 1]) {
    const { response, items } = await read(before);
    if (countCommon(own, items, identity) > 0) return { isShown: true, response, status };
  }
  undecided(
    `the list has ${last + 1} pages of ${limit} transfers with status=${status}, and the first ${MOST_PAGES} and the last 2 do not show the transfer`,
  );
}
