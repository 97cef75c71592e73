import { openBook } from "../../fixtures/engine/lists/book.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  ifDecided,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import {
  blockedTwins,
  identifiers,
  lastOf,
  listedPayouts,
  paidAgain,
  repeatable,
  sendAgain,
} from "./repeated-transfer.ts";

const ID = "createTransfer";

/** Demands that a reference of the run is still a transfer of its own after another merchant used it. */
export async function expectReferencesApart(ctx: CheckContext) {
  const { run } = ctx;
  const { other: merchant } = ctx;
  // The end of the run shows what became of them.
  await ifDecided(blockedTwins(ctx));
  const book = await openBook(ctx);
  // Those that were sent once are for the repeats at the end of the run.
  const [oldest, ...others] = await repeatable(ctx);
  const [{ first: mine } = oldest, other = oldest] = others.filter(({ timesSent }) => timesSent > 1);
  const reference = mine.requireReference();
  const before = run.naming(ID, reference);
  if (identifiers(before).size > 1)
    undecided(
      "repeats got other transactionIds before another merchant used the reference",
      `${ID}/idempotency/sequential`,
    );
  const theirs = await merchant.send(ID, { body: { transferReference: reference } });
  const expectOwn = (one: ApiResponse, other: ApiResponse) => {
    const isForeign = one.kind === "done" && other.kind === "done" && identifiers([one, other]).size === 1;
    const actual = "returned the transactionId of another merchant's transfer";
    demand(!isForeign, one, actual, "nothing of another merchant", [other]);
  };
  expectOwn(theirs, mine);
  ctx.observe("G05", `a reference that another merchant used ${theirs.fate}`);
  if (theirs.kind === "done") {
    const rows = await run.settling.until(
      async () => book?.rows(reference),
      (found) => found !== 0,
    );
    const lost = "no longer lists a transfer after another merchant used its reference";
    demand(rows !== 0, theirs, lost, "the transfers of both merchants", [mine]);
    const again = await sendAgain(ctx, mine);
    const last = lastOf(again.responses);
    expectOwn(last, theirs);
    if (identifiers(again.responses).size === 1) return;
    // Where every old reference is paid again, the other merchant is not the reason.
    if (other.first !== mine && identifiers((await sendAgain(ctx, other.first)).responses).size > 1)
      undecided(
        "a repeat gets another transactionId, whether or not another merchant used its reference",
        `${ID}/idempotency/repeated-at-end`,
      );
    const when = "after another merchant used it";
    const shown = await listedPayouts(ctx, reference);
    if (shown?.surplus) throw paidAgain(again, shown.all, when);
    const actual = `returned another transactionId for a reference ${when}`;
    demand(false, last, actual, "the first transactionId or a rejection", [mine, theirs]);
  }
  if (theirs.kind !== "rejected") return;
  // The other merchant may not be allowed to pay at all: only a transfer with a new reference shows the reason.
  const unused = await merchant.send(ID);
  const taken = `${theirs.outcome} to a reference that another merchant used, and accepts the same transfer under a new one`;
  demand(unused.kind !== "done", theirs, taken, "references of its own for each merchant", [mine, unused]);
}
