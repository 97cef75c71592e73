import {
  type CheckContext,
  checksUnder,
  demand,
  ifDecided,
  needBook,
  sendOtherRows,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { ROUNDS, raceInRounds } from "../every-operation/repeats/race.ts";
import {
  expectOnceAtEnd,
  firstSettled,
  MOST_ASKED,
  noneRepeated,
  settledBook,
  showsInTheEnd,
} from "./end-of-run.ts";
import { sentOnce } from "./own-transfers.ts";
import {
  expectOnePayout,
  expectReferencesApart,
  expectSecondPaid,
  expectUnchanged,
  sendInOtherNotations,
  sendInOtherWays,
} from "./references.ts";
import {
  expectNotPaidAgain,
  expectPaidOnce,
  listedPayouts,
  paidAgain,
  paysOnce,
  repeatable,
  repeatedTransfer,
  repliesToRepeats,
  sendAgain,
} from "./repeated-transfer.ts";
import { closing, correctedTransfer, judgeRetry } from "./retries.ts";

const ID = "createTransfer";
const check = checksUnder(`${ID}/idempotency`);
const checkAfterWrites = checksUnder(`${ID}/idempotency`, "after-writes");
const checkAtEnd = checksUnder(`${ID}/idempotency`, "final");

const AGAIN_AND_AGAIN =
  "a transfer is sent again and again, also at its other path and after an invalid request";
paysOnce("sequential", AGAIN_AND_AGAIN, { least: 1, phase: "first" }, async (ctx, transfer) => {
  const { pathForms } = ctx.run.settings.found;
  await transfer.send();
  await transfer.send();
  await transfer.send({ amount: undefined });
  await transfer.send();
  // A deployment need not have both forms (section 4): then this is rejected, and nothing is paid.
  await transfer.send({}, { pathForm: pathForms.createTransfer === "bare" ? "prefixed" : "bare" });
  await sendInOtherWays(ctx, transfer, 2);
  return () => {
    const [first, ...repeats] = transfer.responses;
    const crash = repeats.find((repeat) => repeat.statusClass === 5 && repeat.kind !== "unavailable");
    if (first?.kind === "done" && crash)
      ctx.warn(`${crash.outcome} for the repeat of an accepted transfer; expected a response below 500`, {
        critical: true,
        response: crash,
      });
    ctx.observe("G05", `a repeated transfer gets ${repliesToRepeats(transfer.responses)}`);
  };
});

const INCOMPLETE = "a transfer is sent again after an incomplete request";
paysOnce("half-sent", INCOMPLETE, { least: 0 }, async (ctx, { reference, send }) => {
  await send({}, { via: closing(ctx, "cut") });
  await ctx.run.settling.pause();
  const early = await (await ifDecided(needBook(ctx)))?.ofRejected(reference);
  await send();
  return () => {
    if (early?.paid) ctx.warn("paid a transfer whose body never arrived completely", { critical: true });
  };
});

const AT_ONCE = "pays once when the same transfer arrives many times at the same moment";
check("concurrent", AT_ONCE, { must: ["R087"], pays: [0, ROUNDS.length] }, async (ctx) => {
  await ctx.ordinary(ID);
  const prepare = () => repeatedTransfer(ctx);
  const races = await raceInRounds(ctx, ID, prepare, ({ send }, via) => send({}, { via }));
  await Promise.all(races.map(({ one }) => expectPaidOnce(ctx, one)));
  for (const { responses } of races)
    ctx.observe("G05", `identical transfers at the same moment get ${repliesToRepeats(responses)}`);
  if (!races.some(({ responses }) => responses.some(({ kind }) => kind === "done")))
    undecided("none of several identical transfers that arrived at the same moment was accepted");
});

const AFTER_PAUSE = "pays once when a transfer is repeated after a pause";
check("delayed", AFTER_PAUSE, { must: ["R087"], pays: 1 }, async (ctx) => {
  // An optional field may show that a retry is not compared as a whole; the API may reject its text.
  let note: Readonly<Record<string, unknown>> = { transferNote: "conformance" };
  let transfer = await repeatedTransfer(ctx);
  if ((await transfer.send(note)).kind !== "done") {
    note = {};
    transfer = await repeatedTransfer(ctx);
    await transfer.send();
  }
  await ctx.run.settling.pause();
  await ctx.run.settling.pause();
  await transfer.send(note);

  await expectPaidOnce(ctx, transfer);
});

const AFTER_REFUSAL = "pays once when a rejected transfer is corrected and sent twice under its reference";
check("after-refusal", AFTER_REFUSAL, { must: ["R087"], pays: [0, 1] }, async (ctx) => {
  const { transfer, corrected } = await correctedTransfer(ctx);
  ctx.observe("G05", `the corrected repeat of a rejected transfer ${corrected.fate}`);
  if (transfer.responses.some((response) => response.kind !== "rejected"))
    return expectPaidOnce(ctx, transfer);
  const shown = await listedPayouts(ctx, transfer.reference);
  if (shown && shown.all > 0) await expectPaidOnce(ctx, transfer);
});

// Nothing was paid and the client knows it, so it may also send the transfer under another reference.
const CORRECTED = "accepts the correction of a transfer that it rejected, under the same reference";
check("corrected", CORRECTED, { should: ["R087"], pays: [0, 1] }, async (ctx) => {
  const { transfer, rejected, corrected } = await correctedTransfer(ctx);
  if (rejected.kind !== "rejected")
    undecided(`a transfer without amount ${rejected.fate}`, `${ID}/amount/missing`);
  if (corrected.kind !== "rejected") return;
  const shown = await listedPayouts(ctx, transfer.reference);
  if (shown && shown.all > 0) return;
  const actual = `${corrected.outcome} to the correction of a transfer that it had rejected: the reference is used up without a payout`;
  demand(false, corrected, actual, "the transfer to be accepted", [rejected]);
});

const LOST = "pays once when a transfer is retried after its response was lost";
check("lost-response", LOST, { must: ["R087"], pays: [0, 1] }, async (ctx) => {
  const transfer = await repeatedTransfer(ctx);
  await transfer.send({}, { via: closing(ctx, "abandon") });
  await ctx.run.settling.pause();
  await transfer.send();
  await judgeRetry(ctx, transfer);
});

const IN_NOTATION = "a repeat has the same content in another notation of JSON";
paysOnce("other-notation", IN_NOTATION, { least: 1 }, async (ctx, transfer) => {
  await transfer.send();
  await sendInOtherNotations(transfer);
  const replies = repliesToRepeats(transfer.responses);
  return () => ctx.observe("G05", `a repeat in another notation gets ${replies}`);
});

// The API may reject a repeat with another content or replay the first payout; it must not pay again.
for (const [field, what, pays, otherIn] of [
  ["amount", "amount", 1, (ctx: CheckContext) => ctx.need("TRANSFER_AMOUNT") * 2],
  ["accountNumber", "account", [0, 1], (ctx: CheckContext) => ctx.need("SECOND_ACCOUNT_NUMBER")],
] as const) {
  const title = `does not pay again when a reference is repeated with another ${what}`;
  check(`other-${what}`, title, { critical: "G06", pays }, async (ctx) => {
    const value = otherIn(ctx);
    const transfer = await repeatedTransfer(ctx);
    const { draft, responses, send } = transfer;
    const first = await send();
    await send({ [field]: value });

    ctx.observe("G06", `a repeat with another ${what} gets ${repliesToRepeats(responses)}`);
    // The other body must not have taken the place of the first one, which a further repeat would put back.
    await ctx.run.settling.pause();
    if (first.kind === "done") await expectUnchanged(ctx, draft, field, value);
    await send();
    await expectOnePayout(ctx, transfer);
  });
}

const OTHER_NOTE = "does not pay again when a reference is repeated with another note or e-mail address";
check("other-note", OTHER_NOTE, { critical: "G06", pays: 1 }, async (ctx) => {
  const transfer = await repeatedTransfer(ctx);
  const { responses, send } = transfer;
  await send();
  await send({ transferNote: `payments-conformance ${ctx.run.settings.runId}` });
  // The domain is reserved, so the mail reaches no one.
  await send({ emailAddress: "payments-conformance@example.com" });

  await expectOnePayout(ctx, transfer);
  const what = "a repeat with a transferNote or for another emailAddress";
  ctx.observe("G06", `${what} gets ${repliesToRepeats(responses)}`);
});

const DISTINCT = "pays two transfers that differ only in their reference";
check("distinct-references", DISTINCT, { critical: ["R087"], pays: 1 }, expectSecondPaid);

// Rows of transfers that no other check sends are payments of this one.
const REPEATED_KINDS =
  "pays once when transfers with notes, cents, unusual references or headers are repeated at the end of the run";
checkAfterWrites("repeated-kinds", REPEATED_KINDS, { must: ["R087"], pays: [0, 5] }, async (ctx) => {
  await needBook(ctx);
  if (ctx.target.allow.probeWrites) await sendOtherRows(ctx, ID);
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

const APART = "keeps the references of two merchants apart";
checkAfterWrites("two-merchants", APART, { critical: "G18", pays: [0, 1] }, expectReferencesApart);

const AT_END_OF_RUN = "lists one payout for each repeated reference at the end of the run";
checkAtEnd("at-end-of-run", AT_END_OF_RUN, { runsAfterStop: true, must: ["R087"] }, async (ctx) => {
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
});

const REPEATED_AT_END = "pays once when an old transfer and a settled one are repeated at the end of the run";
checkAtEnd("repeated-at-end", REPEATED_AT_END, { must: ["R087"] }, async (ctx) => {
  await settledBook(ctx);
  const [oldest, ...others] = await repeatable(ctx);
  await ctx.run.settling.aged(new Date(oldest.lastSent));
  const book = await settledBook(ctx);
  const settled = await firstSettled(book, [oldest, ...others].slice(0, MOST_ASKED));
  if (!settled) ctx.observe("G05", "no transfer was listed as Successful before the last repeat of the run");
  const age = Math.floor((Date.now() - oldest.lastSent) / 1000);
  ctx.observe(
    "G19",
    `the last repeat of the run came ${age} s after its transfer was last accepted: a reference that is forgotten later would not have been seen`,
  );
  for (const { first } of new Set([oldest, settled ?? oldest])) await expectOnceAtEnd(ctx, book, first);
});
