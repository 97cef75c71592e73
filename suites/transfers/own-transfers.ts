import { type Entry, openBook } from "../../fixtures/engine/lists/book.ts";
import { FIRST_PAGES, listsNothing } from "../../fixtures/engine/lists/counting.ts";
import { isPageRejected } from "../../fixtures/engine/run/paging.ts";
import {
  type ApiResponse,
  type CheckContext,
  countCommon,
  demandDone,
  isObject,
  listOf,
  NotTested,
  type Page,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../reports/grouping.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { lastFilledPage, readAt } from "../every-operation/lists/walk.ts";
import { listedUnder } from "./repeated-transfer.ts";
import { BEFORE_END, ENDS, statusAt } from "./shown-status.ts";

const ID = "createTransfer";
const LIST = "listTransfers";
/** Reading more pages takes too long. */
const MOST_PAGES = 12;

/** Whether an accepted transfer is listed under its reference within SETTLE_SECONDS. */
export async function isListed(ctx: CheckContext, reference: string): Promise<boolean> {
  const book = await openBook(ctx);
  const count = async () => (book ? book.rows(reference) : (await listedUnder(ctx, reference)).items.length);
  try {
    if ((await ctx.run.settling.until(count, (rows) => rows > 0)) > 0) return true;
    await listOf(ctx, LIST).located();
  } catch (error) {
    const isEmpty = error instanceof NotTested && error.reason === "empty-list";
    if (!isEmpty || !(await isStillEmpty(ctx, reference))) throw error;
  }
  return false;
}

/** Whether the list is empty, for a transfer of this run too, after SETTLE_SECONDS. */
async function isStillEmpty(ctx: CheckContext, transferReference: string): Promise<boolean> {
  const { widest: limit } = await listOf(ctx, LIST).sizes();
  const unused = await listOf(ctx, LIST).unusedText();
  const look = async () => {
    // Whether pages are counted from 1 or from 0 is undocumented.
    for (const page of FIRST_PAGES) {
      const read = async (filter: object) => ctx.sendAsGiven(LIST, { query: { limit, page, ...filter } });
      const [all, own] = [await read({}), await read({ transferReference })];
      const none = await read({ transferReference: unused });
      if (page === 0 && [all, own].every(isPageRejected)) continue;
      // A list that no array shows has more about a transfer of this run than about none.
      const isEmpty = ({ kind, json }: ApiResponse) =>
        kind === "done" && isObject(json) && listsNothing(json);
      if (![all, own, none].every(isEmpty) || own.fingerprint !== none.fingerprint) return false;
    }
    return true;
  };
  return ctx.run.settling.until(look, (isEmpty) => !isEmpty);
}

/** Whether a list shows transfers that may still change their status, and no others. */
export const isOpen = ({ items }: Page, path: string) =>
  items.every((item) => BEFORE_END.some((status) => statusAt(item, path) === status.toLowerCase()));

/** The status in which a transfer ended, and the response that finds and shows it under that one. */
export async function ended(ctx: CheckContext, transferReference: string, path: string) {
  for (const status of ENDS) {
    const { response, items } = await listOf(ctx, LIST).widest({ transferReference, status });
    if (items.some((item) => statusAt(item, path) === status.toLowerCase())) return { status, response };
  }
  return undefined;
}

/** How many rows a transfer has, in all and under the six statuses; `twice` if one row is found by two of these. */
export function spreadOf({ rows: all, sets }: Entry) {
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

/**
 * The accepted transfers whose reference was sent once. References count as the same if they differ only in letter
 * case, in accents or in spaces around them: a filter may find them all.
 */
export function sentOnce({ run }: CheckContext): ApiResponse[] {
  const responses = run.responsesTo(ID).filter((response) => response.isSentWith(run.target.secretKey));
  const plain = ({ referenceSent }: ApiResponse) =>
    referenceSent.toLowerCase().trim().normalize("NFD").replaceAll(/\p{M}/gu, "");
  return [...groupBy(responses, plain)].flatMap(([reference, [response, another]]) =>
    reference !== "" && response?.kind === "done" && !another ? [response] : [],
  );
}

/** Finds the status of this run's first transfer, and the rows that show it. */
async function statusOfOwn(ctx: CheckContext) {
  const transferReference = (await demandDone(ctx, "createTransfer")).referenceSent;
  // The most likely statuses of a new transfer come first.
  const likely = ["Pending", "Successful"];
  for (const status of [...likely, ...TRANSFER_STATUSES.filter((other) => !likely.includes(other))]) {
    const { items: own } = await listOf(ctx, LIST).widest({ transferReference, status });
    if (own.length > 0) return { own, status };
  }
  undecided(
    "the list shows no transfer of this run for its reference and any status",
    "createTransfer/accepted-is-listed",
  );
}

/** Looks for a transfer of this run on the pages of its status: on the first ones, then on the last ones. */
export async function lookUp(ctx: CheckContext) {
  const { own, status } = await statusOfOwn(ctx);
  const identity = await listOf(ctx, LIST).identity();
  const origin = await listOf(ctx, LIST).origin();
  const { widest: limit } = await listOf(ctx, LIST).sizes();
  const read = (before: number) => readAt(ctx, { id: LIST, filter: { status }, origin }, limit, before);
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
