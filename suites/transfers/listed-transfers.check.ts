import {
  checksUnder,
  demand,
  demandDone,
  listOf,
  needBook,
  type Page,
  skip,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import {
  expectOneStatus,
  expectStatusAsShown,
  referencesOfBlocked,
  settledBook,
  showsInTheEnd,
  transfers,
} from "./end-of-run.ts";
import { ended, isListed, isOpen, spreadOf } from "./own-transfers.ts";
import { firstAlike } from "./references.ts";
import { failAsLost, listedUnder } from "./repeated-transfer.ts";
import { statusAt, statusPath } from "./shown-status.ts";

const ID = "createTransfer";
const LIST = "listTransfers";
const check = checksUnder(ID);
const checkAfterWrites = checksUnder(ID, "after-writes");
const checkAtEnd = checksUnder(ID, "final");
const MUST_BE_LISTED = { runsAfterStop: true, must: ["R011", "R054", "R082"] } as const;
const MUST_HAVE_STATUS = { runsAfterStop: true, must: ["R011", "R019"] } as const;

const LISTED = "lists an accepted transfer under its reference";
checkAfterWrites("accepted-is-listed", LISTED, MUST_BE_LISTED, async (ctx) => {
  const response = await demandDone(ctx, ID);
  if (!(await isListed(ctx, response.referenceSent))) failAsLost(ctx, response);
});

const ONE_STATUS = "lists an accepted transfer under exactly one status";
checkAfterWrites("accepted-has-one-status", ONE_STATUS, MUST_HAVE_STATUS, async (ctx) => {
  const book = await needBook(ctx);
  const transferReference = (await demandDone(ctx, ID)).referenceSent;
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
checkAfterWrites("polled-status", POLLED, { critical: ["R011", "R019"], pays: 1 }, async (ctx) => {
  const control = (await demandDone(ctx, ID)).referenceSent;
  await needBook(ctx);
  const path = await statusPath(ctx);
  if (path === undefined) skip("the items of the list show no status of their own");
  if (isOpen(await listedUnder(ctx, control), path) && !(await ended(ctx, control, path)))
    skip("the first transfer of this run has not ended yet");
  const sent = await ctx.send(ID);
  if (sent.kind !== "done") undecided(`a further transfer ${sent.fate}`);
  const reference = sent.referenceSent;
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

const MIXED = "lists a transfer under a transferReference in mixed case, exactly as sent";
const IN_MIXED_CASE = { should: ["R011", "R054"], pays: 1, probe: true } as const;
check("listed-reference-in-mixed-case", MIXED, IN_MIXED_CASE, async (ctx) => {
  const book = await needBook(ctx);
  const { response } = await firstAlike(ctx, "long");
  if (response.kind === "crashed")
    undecided(`${response.outcome}: whether the transfer was accepted is unknown`);
  if (response.kind !== "done") return;
  const count = () => book.rows(response.referenceSent);
  const rows = await ctx.run.settling.until(count, (found) => found > 0);
  const actual = "accepted a transferReference in mixed case, but lists no transfer under it";
  demand(rows > 0, response, actual, "the transfer under its reference as it was sent");
});

const ALL_ACCEPTED_ARE_LISTED = "lists every transfer that it accepted in the run";
checkAtEnd("all-accepted-are-listed", ALL_ACCEPTED_ARE_LISTED, MUST_BE_LISTED, async (ctx) => {
  await settledBook(ctx);
  for (const { reference, responses } of transfers(ctx)) {
    const accepted = responses.find(({ kind }) => kind === "done");
    if (accepted && (await showsInTheEnd(ctx, reference, ({ all }) => all === 0))) failAsLost(ctx, accepted);
  }
});

const SETTLED = "lists a settled transfer only under the status that it shows";
checkAtEnd("settled-has-its-status", SETTLED, MUST_HAVE_STATUS, async (ctx) => {
  const reference = (await ctx.ordinary(ID)).referenceSent;
  const book = await settledBook(ctx);
  const path = await statusPath(ctx);
  if (path === undefined) skip("the items of the list show no status of their own");
  // What ends a transfer that is blocked need not be what ends one that is paid.
  for (const one of [reference, ...referencesOfBlocked(ctx).slice(0, 1)])
    await expectStatusAsShown(ctx, book, one, path);
  await expectOneStatus(ctx, reference, path);
});

const LISTED_ONCE = "lists one live transfer for each reference that was sent once";
checkAtEnd("listed-once", LISTED_ONCE, { runsAfterStop: true, critical: ["R082"] }, async (ctx) => {
  const book = await settledBook(ctx);
  // While the place of the list is unknown, one transfer may be counted in several places of a response.
  await listOf(ctx, LIST).located();
  for (const { reference, responses } of transfers(ctx)) {
    const [response] = responses;
    // A filter may also find references that only begin with this one, or have it in another letter case.
    if (response?.kind !== "done" || ctx.run.naming(ID, reference).length !== 1) continue;
    // The specification does not show the items of the list, so one transfer may have several rows, if they differ.
    const found = await showsInTheEnd(ctx, reference, (seen) => seen.possible > 1 || seen.copies > 0);
    if (!found) continue;
    const { possible, copies } = found;
    const isCopied = possible <= 1;
    // A status that items do not show tells rows apart, too.
    if (isCopied && !(await book.hasCopies(reference))) continue;
    const [actual, expected] = isCopied
      ? [`${copies + 1} equal rows for one that was sent once: a reader counts it twice`, "one row"]
      : [
          `${possible} live transfers for one that was sent once: it may have been paid twice`,
          "one live transfer",
        ];
    demand(false, response, `lists ${actual}`, expected, [(await listedUnder(ctx, reference)).response]);
  }
});
