import {
  type CheckContext,
  checksUnder,
  demand,
  demandDone,
  needBook,
  skip,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { expectDifferent } from "../every-operation/answers/recorded.ts";
import { freshAfterWrite } from "../every-operation/repeats/fresh-after-write.ts";
import { oddAmounts, oddValues } from "../every-operation/requests/odd-values.ts";
import { statusCodes, takesOptionalFields } from "../every-operation/requests/writes.ts";
import { brokenButPaid, expectUnpaid, listedAsSuccessful, standingOf } from "./end-of-run.ts";
import { sentOnce } from "./own-transfers.ts";
import { expectAlikePaid, observeCased } from "./references.ts";
import { blockedTwins } from "./repeated-transfer.ts";

const ID = "createTransfer";
const check = checksUnder(ID);
const checkAfterWrites = checksUnder(ID, "after-writes");
const checkAtEnd = checksUnder(ID, "final");
const { noun, requirements } = contract[ID];

const ACCEPTED = `accepts ${noun} and returns the documented success`;
check("accepted", ACCEPTED, { must: requirements.success, pays: 1 }, async (ctx) => {
  const { response, accepted, diagnosis } = await ctx.control(ID);
  const refused = accepted ? [] : [...(response ? [response] : []), ...(diagnosis?.responses ?? [])];
  const rejected = refused.filter(({ carriedOut }) => carriedOut === "no");
  await expectUnpaid(ctx, rejected);
  await demandDone(ctx, ID);
});

const BLOCKED = "pays nothing for a transfer that it blocks or rejects, at once or later";
const MUST_BLOCK = { must: ["R011", "R019", "R086"], pays: 1, scope: "blocked-transfer" } as const;
check("blocked-is-not-paid", BLOCKED, MUST_BLOCK, async (ctx) => {
  const body = ctx.need("BLOCKED_TRANSFER");
  const book = await needBook(ctx);
  const draft = ctx.draft(ID, { body });
  const response = await ctx.send(ID, {}, { draft });
  const { reference } = draft;
  const isRejected = response.carriedOut === "no";
  // The last look of the run comes back to every rejected transfer.
  const settle = () =>
    ctx.run.settling.until(
      () => standingOf(book, reference),
      (seen) => !seen.isPaid && (isRejected || seen.isUnpaid),
    );
  const { shown, isPaid, isUnpaid } = await settle();
  if (isRejected && isPaid) ctx.run.stopPaying(reference, ctx.info.id);
  const contradicts = isRejected || isUnpaid;
  const actual = `${response.outcome} and lists the transfer as ${shown}`;
  demand(!contradicts || !isPaid, response, actual, "no payout for a blocked transfer");
  if (!contradicts)
    undecided(
      `${actual}, so it was not blocked: set BLOCKED_TRANSFER to a transfer that this deployment blocks or rejects within SETTLE_SECONDS`,
    );
  ctx.observe("N11", `a blocked transfer ${response.fate}, and is listed as ${shown}`);

  // The retry must be blocked as well: that its reference is known makes the recipient no better.
  const retry = await ctx.send(ID, {}, { draft, repeats: [response] });
  if (retry.kind !== "done") return;
  await ctx.run.settling.pause();
  const later = await settle();
  if (later.isPaid) ctx.run.stopPaying(reference, ctx.info.id);
  const pays = `${retry.outcome} to the retry of a blocked transfer, and lists it as ${later.shown}`;
  demand(!later.isPaid, retry, pays, "no payout for a blocked transfer, however often it is sent", [
    response,
  ]);
});

// The first of many transfers that must be refused: if the API pays it, it would pay the others too, so none is sent.
check(
  "refused-is-not-listed",
  "pays nothing when it refuses a transfer without bankCode",
  { phase: "first", must: ["R011", "R083", "R086"] },
  async (ctx) => {
    await ctx.ordinary(ID);
    const draft = ctx.draft(ID);
    const { bankCode: _, ...body } = draft.body ?? {};
    const response = await ctx.send(ID, {}, { draft: { ...draft, body } });
    const outcome = `${response.outcome} for a transfer without bankCode`;
    if (response.kind === "done")
      undecided(`${outcome}: it was not rejected`, "createTransfer/bankCode/missing");
    if (response.kind === "crashed") undecided(`${outcome}: whether it was rejected is unknown`);
    const book = await needBook(ctx);
    await ctx.run.settling.pause();
    if (!(await book.paysRejected(draft.reference))) return;
    ctx.run.stopPaying(draft.reference, ctx.info.id);
    demand(false, response, `${outcome}, but lists it as paid`, "no payout for a rejected request");
  },
);

const BROKEN_IS_NOT_PAID = "does not pay a transfer for which it returns a 5xx";
checkAtEnd(
  "broken-is-not-paid",
  BROKEN_IS_NOT_PAID,
  { runsAfterStop: true, critical: ["R087"] },
  async (ctx) => {
    const { notTested } = await ctx.control(ID);
    if (notTested) throw notTested;
    const paid = await brokenButPaid(ctx);
    if (!paid) return;
    const actual = `${paid.outcome}, but lists the transfer as paid`;
    demand(false, paid, actual, "a response that acknowledges the payout");
  },
);

const BLOCKED_APART =
  "leaves a blocked transfer unpaid when it pays another merchant's of the same reference";
const OF_TWO = { critical: "G18", pays: [0, 3], scope: "blocked-transfer" } as const;
checkAtEnd("blocked-beside-another-merchant", BLOCKED_APART, OF_TWO, async (ctx) => {
  await needBook(ctx);
  const { alone, blocked, theirs } = await blockedTwins(ctx);
  if (theirs.kind !== "done") skip(`another merchant's transfer of the same reference ${theirs.fate}`);
  await ctx.settled();
  const paid =
    (await listedAsSuccessful(ctx, blocked, theirs)) && (await listedAsSuccessful(ctx, blocked, theirs));
  if (!paid) return;
  if (await listedAsSuccessful(ctx, alone, theirs))
    undecided("a blocked transfer is also paid under a reference of its own", `${ID}/blocked-is-not-paid`);
  const actual = "lists a blocked transfer as Successful after another merchant paid under its reference";
  demand(false, paid, actual, "a blocked transfer, as under a reference of its own", [blocked, theirs]);
});

const UNIQUE = "returns a different transactionId for each transfer";
checkAfterWrites("transactionId-unique", UNIQUE, { runsAfterStop: true, must: ["R010"] }, async (ctx) => {
  await ctx.ordinary(ID);
  // A server may take an unusual reference for another one, if they differ after many characters or in leading zeros.
  const usual = sentOnce(ctx).filter(({ referenceSent }) => ctx.run.builder.isFresh(referenceSent));
  expectDifferent(ctx, usual, (response) => JSON.stringify(response.field("transactionId")), {
    repeated: (value) => `returned the transactionId ${value} for two transfers with different references`,
    expected: "an identifier of its own for each transfer",
    none: () =>
      undecided("no second transfer was accepted", { advice: `select ${ID}/optional-fields as well` }),
  });
});

for (const [name, difference, pays] of [
  ["long", "the last of 64 characters", 2],
  ["digit", "leading zeros, or the last of 17 digits", 3],
  ["accented", "an accent", 2],
] as const) {
  const title = `pays transfers whose references differ only in ${difference}`;
  check(`${name}-references-distinct`, title, { critical: ["R087"], pays, probe: true }, (ctx) =>
    expectAlikePaid(ctx, name),
  );
}

const CASED = "handling of transferReferences that differ only in letter case";
check("cased-references", CASED, { observe: "G05", pays: 2, probe: true }, observeCased);

oddValues(ID, {
  rejected: [
    ["bankCode-letters", "N40", { bankCode: "NOBANK" }],
    ["accountNumber-of-3-digits", "practice", { accountNumber: "123" }],
    ["accountNumber-letters", "practice", { accountNumber: "ABCDEFGHIJ" }],
    ["emailAddress-malformed", "practice", { emailAddress: "x" }],
    ["accountNumber-number", ["R083"], asNumber, "accountNumber is a number, which loses leading zeros"],
  ],
});

/** The operator's account as a number; 123, which no account has, if that number would name another account. */
function asNumber({ values: { ACCOUNT_NUMBER: account } }: CheckContext) {
  const isSame = account !== undefined && String(Number(account)) === account;
  return { accountNumber: isSame ? Number(account) : 123 };
}

oddAmounts(ID);

statusCodes(ID, "N31", ["R086"]);
takesOptionalFields(ID, ["R084"]);

freshAfterWrite(ID, { must: ["R011", "R054", "R082"] });
