import {
  type Book,
  copiesAmong,
  isListedAsPaid,
  needBook,
  type Repeated,
} from "../../fixtures/engine/lists/book.ts";
import { holds, type TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  listOf,
  skip,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../reports/grouping.ts";
import { plural } from "../../reports/wording.ts";
import {
  blockedTwins,
  expectPaidOnce,
  failAsLost,
  identifiers,
  lastOf,
  listedPayouts,
  listedUnder,
  paidAgain,
  repeatable,
  sendAgain,
} from "./repeated-transfer.ts";
import { BEFORE_END, ENDS, isStatus, statusAt, statusPath } from "./shown-status.ts";

const ID = "createTransfer";
const LIST = "listTransfers";
const check = checksUnder(ID, "final");
/** How many of the transfers that got a 5xx are looked up: each takes up to eight reads. */
const MOST_LOOKED_UP = 20;

/** The book of payouts once all of them have settled. */
async function settledBook(ctx: CheckContext) {
  await ctx.ordinary(ID);
  await ctx.settled();
  return needBook(ctx);
}

const BLOCKED_APART =
  "leaves a blocked transfer unpaid when it pays another merchant's of the same reference";
const OF_TWO = { critical: "G18", pays: [0, 3], scope: "blocked-transfer" } as const;
check("blocked-beside-another-merchant", BLOCKED_APART, OF_TWO, async (ctx) => {
  await needBook(ctx);
  const { alone, blocked, theirs } = await blockedTwins(ctx);
  if (!theirs.isSuccess) skip(`another merchant's transfer of the same reference ${theirs.fate}`);
  await ctx.settled();
  // Rows of the other merchant are for the checks of the list.
  const isTheirs = (row: unknown) => holds(row, String(theirs.field("transactionId")));
  const readPaid = async (one: ApiResponse) => {
    const filter = { transferReference: one.requireReference(), status: "Successful" };
    const { response, items } = await listOf(ctx, LIST).widest(filter);
    return items.some((row) => !isTheirs(row)) ? response : undefined;
  };
  const paid = (await readPaid(blocked)) && (await readPaid(blocked));
  if (!paid) return;
  if (await readPaid(alone))
    undecided("a blocked transfer is also paid under a reference of its own", `${ID}/blocked-is-not-paid`);
  const actual = "lists a blocked transfer as Successful after another merchant paid under its reference";
  demand(false, paid, actual, "a blocked transfer, as under a reference of its own", [blocked, theirs]);
});

const ALL_ACCEPTED_ARE_LISTED = "lists every transfer that it accepted in the run";
const ALL_ACCEPTED_ARE_LISTED_OPTIONS = { runsAfterStop: true, must: ["R011", "R054", "R082"] } as const;
check("all-accepted-are-listed", ALL_ACCEPTED_ARE_LISTED, ALL_ACCEPTED_ARE_LISTED_OPTIONS, async (ctx) => {
  await settledBook(ctx);
  for (const { reference, responses } of transfers(ctx)) {
    const accepted = responses.find(({ isSuccess }) => isSuccess);
    if (accepted && (await showsInTheEnd(ctx, reference, ({ all }) => all === 0))) failAsLost(ctx, accepted);
  }
});

const SETTLED = "lists a settled transfer only under the status that it shows";
check("settled-has-its-status", SETTLED, { runsAfterStop: true, must: ["R011", "R019"] }, async (ctx) => {
  const reference = (await ctx.ordinary(ID)).requireReference();
  const book = await settledBook(ctx);
  const path = await statusPath(ctx);
  if (path === undefined) skip("the items of the list show no status of their own");
  // What ends a transfer that is blocked need not be what ends one that is paid.
  for (const one of [reference, ...referencesOfBlocked(ctx).slice(0, 1)])
    await expectStatusAsShown(ctx, book, one, path);
  await expectOneStatus(ctx, reference, path);
});

/** The references of transfers that the operator says are blocked or rejected. */
function referencesOfBlocked(ctx: CheckContext): string[] {
  const special = Object.entries(ctx.values.BLOCKED_TRANSFER ?? {});
  if (special.length === 0) return [];
  const isBlocked = ({ bodySent }: ApiResponse) => special.every(([name, value]) => bodySent[name] === value);
  return transfers(ctx).flatMap(({ reference, responses }) => (responses.some(isBlocked) ? [reference] : []));
}

/** Demands that the list finds a settled transfer only under the status that it shows. */
async function expectStatusAsShown(ctx: CheckContext, book: Book, reference: string, path: string) {
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
async function expectOneStatus(ctx: CheckContext, reference: string, path: string) {
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

const LISTED_ONCE = "lists one live transfer for each reference that was sent once";
check("listed-once", LISTED_ONCE, { runsAfterStop: true, critical: ["R082"] }, async (ctx) => {
  const book = await settledBook(ctx);
  // While the place of the list is unknown, one transfer may be counted in several places of a response.
  await listOf(ctx, LIST).located();
  for (const { reference, responses } of transfers(ctx)) {
    const [response] = responses;
    // A filter may also find references that only begin with this one, or have it in another letter case.
    if (!response?.isSuccess || ctx.run.naming(ID, reference).length !== 1) continue;
    // The specification does not show the items of the list, so one transfer may have several rows, if they differ.
    const isWrong = ({ possible, copies }: Repeated) => possible > 1 || copies > 0;
    const found = await showsInTheEnd(ctx, reference, isWrong);
    if (!found) continue;
    const { possible, copies } = found;
    const isCopied = possible <= 1;
    // A status that items do not show tells rows apart, too.
    if (isCopied && !(await book.of(reference)).sets.some(({ rows }) => copiesAmong(rows) > 0)) continue;
    const [actual, expected] = isCopied
      ? [`${copies + 1} equal rows for one that was sent once: a reader counts it twice`, "one row"]
      : [
          `${possible} live transfers for one that was sent once: it may have been paid twice`,
          "one live transfer",
        ];
    demand(false, response, `lists ${actual}`, expected, [(await listedUnder(ctx, reference)).response]);
  }
});

const BROKEN_IS_NOT_PAID = "does not pay a transfer for which it returns a 5xx";
check("broken-is-not-paid", BROKEN_IS_NOT_PAID, { runsAfterStop: true, critical: ["R087"] }, async (ctx) => {
  const { notTested } = await ctx.control(ID);
  if (notTested) throw notTested;
  const crashed = transfers(ctx).flatMap(({ reference, responses }) => {
    const response = responses.find(({ is5xx }) => is5xx);
    const isAlone = ctx.run
      .naming(ID, reference)
      .every(({ is5xx, carriedOut }) => is5xx || carriedOut === "no");
    return response && isAlone ? [{ reference, response }] : [];
  });
  if (crashed.length > 0) await ctx.settled();
  for (const { reference, response } of crashed.slice(0, MOST_LOOKED_UP)) {
    const isPaid = await isListedAsPaid(ctx, reference);
    const actual = `${response.outcome}, but lists the transfer as paid`;
    demand(!isPaid, response, actual, "a response that acknowledges the payout");
  }
});

const AT_END_OF_RUN = "lists one payout for each repeated reference at the end of the run";
check("idempotency/at-end-of-run", AT_END_OF_RUN, { runsAfterStop: true, must: ["R087"] }, async (ctx) => {
  const { notTested } = await ctx.control(ID);
  if (notTested) throw notTested;
  const repeated = ctx.run.repeated.filter(({ responses }) => responses.length > 0);
  if (repeated.length === 0) throw noneRepeated();
  await ctx.settled();
  // Each may have to wait for its rows to settle, so they wait side by side.
  const all = await Promise.all(
    repeated.map(({ reference }) => showsInTheEnd(ctx, reference, ({ surplus }) => surplus)),
  );
  const [violation] = repeated.flatMap((sent, index) => {
    const shown = all[index];
    return shown ? [paidAgain(sent, shown.all, "at the end of the run")] : [];
  });
  if (violation) throw violation;
  ctx.observe("G19", worthOfRepeats(repeated));
});

/**
 * How likely the repeats show a reference that only one of two instances of the API knows, if each connection may reach either;
 * with more instances, it is likelier. Every write opens a connection of its own.
 */
function worthOfRepeats(sent: CheckContext["run"]["repeated"]): string {
  const times = new Map<string, number>();
  for (const { reference, responses } of sent)
    times.set(reference, Math.max(times.get(reference) ?? 0, responses.length));
  const connections = [...times.values()].reduce((sum, count) => sum + count, 0);
  const repeats = connections - times.size;
  const percent = Math.floor(1000 * (1 - 0.5 ** repeats)) / 10;
  return `${plural(times.size, "reference")} went over ${plural(connections, "connection")}, a new one for each request: an instance of two that does not know what the other paid would have been seen with a probability of ${percent} %`;
}

const REPEATED_AT_END = "pays once when an old transfer and a settled one are repeated at the end of the run";
check("idempotency/repeated-at-end", REPEATED_AT_END, { must: ["R087"] }, async (ctx) => {
  await settledBook(ctx);
  const [oldest, ...others] = await repeatable(ctx);
  await ctx.run.settling.aged(new Date(oldest.lastSent));
  const book = await settledBook(ctx);
  const settled = await firstSettled(book, [oldest, ...others].slice(0, MOST_ASKED));
  if (!settled) ctx.observe("G05", "no transfer was listed as Successful before the last repeat of the run");
  const age = Math.floor((Date.now() - oldest.lastSent) / 1000);
  ctx.observe(
    "G19",
    `the last repeat of the run came ${age} s after its reference was last sent: a reference that is forgotten later would not have been seen`,
  );
  for (const { first } of new Set([oldest, settled ?? oldest])) await expectOnceAtEnd(ctx, book, first);
});

/** How many transfers are looked up to find one that has settled. */
const MOST_ASKED = 5;

/** The first of some transfers that is listed as Successful: an API may forget a reference when there is nothing left to do. */
async function firstSettled<T extends { readonly first: ApiResponse }>(book: Book, transfers: readonly T[]) {
  for (const one of transfers)
    if ((await book.rows(one.first.requireReference(), "Successful")) > 0) return one;
  return undefined;
}

async function expectOnceAtEnd(ctx: CheckContext, book: Book, first: ApiResponse) {
  const end = await endOf(book, first.requireReference());
  const sent = await sendAgain(ctx, first);
  const repeat = lastOf(sent.responses);
  const reset = end && (await end.isLeft());
  if (reset)
    ctx.warn(
      `lists a transfer that was ${end.status} as ${reset} once it is sent again: it may be paid once more; expected the status that it had`,
      { critical: true, response: repeat },
    );
  if (repeat.isCrash)
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
async function showsInTheEnd(ctx: CheckContext, reference: string, isWrong: (shown: Repeated) => boolean) {
  const shown = await ctx.run.once(`in the end/${reference}`, () => listedPayouts(ctx, reference));
  if (!shown || !isWrong(shown)) return undefined;
  const again = await listedPayouts(ctx, reference);
  return again && isWrong(again) ? again : undefined;
}

const noneRepeated = () =>
  undecided("no reference was sent twice", { advice: "select createTransfer/idempotency/* as well" });

interface Transfer {
  readonly reference: string;
  readonly responses: readonly ApiResponse[];
}

/** The transfers that this run sent with the target's key, one for each reference. */
function transfers({ run }: CheckContext): Transfer[] {
  const own = run.responsesTo(ID).filter((response) => response.isSentWith(run.target.secretKey));
  const known = groupBy(own, (response) => run.builder.referenceIn(response.textSent));
  return [...known].flatMap(([reference, responses]) =>
    reference === undefined ? [] : [{ reference, responses }],
  );
}
