import type { Built } from "../../fixtures/engine/http/build.ts";
import { waysOf } from "../../fixtures/engine/http/ways.ts";
import { expectDistinct } from "../../fixtures/engine/judge/matchers.ts";
import { otherWays } from "../../fixtures/engine/judge/rows.ts";
import { openBook } from "../../fixtures/engine/lists/book.ts";
import { secondTransfer } from "../../fixtures/engine/lists/counting.ts";
import { isLuhn } from "../../fixtures/engine/redaction/redaction.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  ifDecided,
  listOf,
  scalars,
  undecided,
  valueAt,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import {
  blockedTwins,
  identifiers,
  lastOf,
  listedPayouts,
  listedUnder,
  paidAgain,
  type RepeatedTransfer,
  repeatable,
  sendAgain,
} from "./repeated-transfer.ts";

const ID = "createTransfer";

/** Repeats a transfer in each other notation of its JSON: members in reverse order, white space, escapes, zeros. */
export async function sendInOtherNotations({ send }: RepeatedTransfer) {
  for (const way of waysOf(contract[ID]).flat())
    if (way.write || way.reversed) await send({}, { ways: [way] });
}

/** Repeats a transfer in other ways: an address, a client or a session does not make it another one. */
export async function sendInOtherWays(ctx: CheckContext, { send }: RepeatedTransfer, most: number) {
  for (const ways of otherWays(ctx, ID, most)) await ifDecided(send({}, { ways }));
}

/** Demands that the further requests with a reference neither paid again nor got another transactionId. */
export async function expectOnePayout(ctx: CheckContext, transfer: RepeatedTransfer) {
  const { reference, responses } = transfer;
  const [first] = responses;
  const last = responses.at(-1);
  if (!first || !last || first === last) throw new Error("the reference was not sent twice");
  if (first.kind !== "done") undecided(`the first request ${first.outcome}`, `${ID}/accepted`);
  await ctx.run.settling.pause();
  const shown = await listedPayouts(ctx, reference);
  if (shown?.surplus) throw paidAgain(transfer, shown.all, "after repeats of which one had a different body");
  const isReplay = identifiers(responses).size <= 1;
  const actual = "returned another transactionId for the same reference";
  demand(isReplay, last, actual, "the first transactionId or a rejection", responses);
}

/** Demands that the list still shows the first value of `field`, if it shows that field at all; a repeat may be a row of its own. */
export async function expectUnchanged(ctx: CheckContext, sent: Built, field: string, repeated: unknown) {
  const located = await ifDecided(listOf(ctx, "listTransfers").located());
  const { response: control } = await ctx.control(ID);
  if (!located || !control) return;
  const { items: usual } = await listedUnder(ctx, control.referenceSent);
  const { response, items } = await listedUnder(ctx, sent.reference);
  const place = scalars(usual[0]).find(([, value]) => String(value) === String(sent.body?.[field]))?.[0];
  const shown = items.map((row) => valueAt(row, place));
  const isUnchanged = shown.length === 0 || shown.some((value) => String(value) !== String(repeated));
  const actual = `lists the transfer with the ${field} of the repeat, which was not paid`;
  demand(isUnchanged, response, actual, `the ${field} of the accepted request`);
}

/** Demands that a second transfer with another reference is paid as well; `transfers` describes the two. */
export function expectBothPaid(first: ApiResponse, second: ApiResponse, transfers: string) {
  const actual = `${second.outcome} for the second of two ${transfers}`;
  demand(second.kind === "done", second, actual, "a new payout for a new reference", [first]);
  expectDistinct("transactionId", first, second, transfers);
}

/** Demands that the ordinary transfer is paid again if only its reference is new. */
export async function expectSecondPaid(ctx: CheckContext) {
  const one = await ctx.ordinary(ID);
  const two = await secondTransfer(ctx);
  ctx.note(two);
  if (two.kind === "crashed" || two.kind === "unavailable")
    undecided(`the second of two transfers ${two.outcome}`);
  expectBothPaid(one, two, "transfers that differ only in their reference");
}

/** References that only resemble one another: a service may take one of them for another. */
interface Alike {
  readonly first: string;
  readonly others: readonly (readonly [reference: string, difference: string])[];
}

/** By what they resemble one another in: how they are made, and in words the form that a rule may forbid. */
export const ALIKE = {
  long: {
    what: "of 64 characters",
    make: ({ run }: CheckContext): Alike => {
      const beginning = run.builder.fresh().padEnd(63, "aBcDeFgHiJ");
      return { first: `${beginning}X`, others: [[`${beginning}Z`, "the 64th character"]] };
    },
  },
  digit: {
    what: "of 17 or 19 digits",
    // A number of 64 bits with a fraction holds only the first 16 digits.
    make: ({ run }: CheckContext): Alike => {
      const beginning = run.builder.fresh("reference", "digits");
      // No one may take them for the numbers of cards.
      const [one = "", other = ""] = ["1", "2", "3"]
        .map((last) => beginning + last)
        .filter((text) => !isLuhn(text));
      return {
        first: `00${one}`,
        others: [
          [one, "leading zeros"],
          [other, "the last of 17 digits"],
        ],
      };
    },
  },
  // Databases compare texts without regard to accents, unless a column has another collation.
  accented: {
    what: "that ends in é or e",
    make: ({ run }: CheckContext): Alike => {
      const beginning = run.builder.fresh();
      return { first: `${beginning}-é`, others: [[`${beginning}-e`, "an accent"]] };
    },
  },
  // So they do without regard to letter case, and many services keep that for references, which nothing forbids.
  cased: {
    what: "that ends in a or A",
    make: ({ run }: CheckContext): Alike => {
      const beginning = run.builder.fresh();
      return { first: `${beginning}-a`, others: [[`${beginning}-A`, "letter case"]] };
    },
  },
} as const;

const sendUnder = (ctx: CheckContext, transferReference: string) =>
  ctx.sendTolerated(ID, { body: { transferReference } });

/** Sends the first of such transfers, once per run; the reference of the long one is in mixed case. */
export async function firstAlike(ctx: CheckContext, name: keyof typeof ALIKE) {
  await ctx.ordinary(ID);
  const alike = await ctx.run.once(`transfer/${name}/references`, async () => ALIKE[name].make(ctx));
  return { ...alike, response: await ctx.once(`transfer/${name}`, () => sendUnder(ctx, alike.first)) };
}

/**
 * Demands that every transfer is paid whose reference resembles another one. A rule may forbid its form: then one that is
 * unlike any other is rejected, too.
 */
export async function expectAlikePaid(ctx: CheckContext, name: keyof typeof ALIKE) {
  const { others, response } = await firstAlike(ctx, name);
  const { what, make } = ALIKE[name];
  const handling = `a transferReference ${what} ${response.fate}`;
  if (response.kind !== "done") {
    ctx.observe("N43", handling);
    undecided(`${handling}, so two such references cannot be compared`);
  }
  let last = response;
  for (const [reference, difference] of others) {
    const next = await sendUnder(ctx, reference);
    if (next.kind === "crashed" || next.kind === "unavailable") undecided(`the next one ${next.outcome}`);
    if (next.kind !== "done") {
      const [[unlike] = ["", ""]] = make(ctx).others.slice(-1);
      if ((await sendUnder(ctx, unlike)).kind !== "done")
        return ctx.observe("N43", `a transferReference ${what} ${next.fate}`);
    }
    expectBothPaid(last, next, `transfers whose references differ only in ${difference}`);
    last = next;
  }
}

/** Observes whether a reference in another letter case is a new one: if not, a payout that is meant to be new is not made. */
export async function observeCased(ctx: CheckContext) {
  const { others, response } = await firstAlike(ctx, "cased");
  const [[reference] = [response.referenceSent]] = others;
  const second = await sendUnder(ctx, reference);
  const isSame = identifiers([response, second]).size === 1 && second.kind === "done";
  const fate = isSame ? "gets the transactionId of the first" : second.fate;
  const text = `of two transfers whose references differ only in letter case, the second ${fate}`;
  ctx.observe("G05", text, { alarming: isSame || undefined });
}

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
  const reference = mine.referenceSent;
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
