import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  demandNoCrash,
  demandNotDone,
  ifDecided,
  needAnswer,
  refundDraft,
  rejects,
  type SendOptions,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { rejectionTitle } from "../../schemas/operation.ts";
import { FRESH } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";
import { ROUNDS, sendAtOnce } from "../every-operation/repeats/race.ts";
import { judgeRejected } from "../every-operation/values/accepted.ts";
import {
  notInParts,
  oddEntry,
  PARTS,
  refundInParts,
  refundTogether,
  saysNothingLeft,
  sendOddAmount,
  shareOf,
  withoutAmount,
} from "./refund-parts.ts";

const ID = "refundTransaction";
const check = checksUnder(ID);

/** Enough simultaneous requests to show a lock that is taken too late. */
const RACERS = 5;

// The checks that use up a refundable transaction come first: they take entries in the order of registration.

const REPEATED_AT_ONCE = "accepts one of several equal refunds that arrive at once";
check("repeated-at-once", REPEATED_AT_ONCE, { critical: "G21", pays: [0, 1] }, async (ctx) => {
  const { racing } = await refundSixTimes(ctx);
  const [first, ...more] = racing.filter(({ kind }) => kind === "done");
  if (!first) return;
  const paid = `${more.length + 1} of ${racing.length} equal refunds of a whole transaction`;
  demand(more.length === 0, first, `returned 200 for ${paid}: possibly a double refund`, "one refund");
});

const REPEATED_AFTERWARDS = "refuses a second refund of a whole transaction";
check("repeated-afterwards", REPEATED_AFTERWARDS, { critical: "G21" }, async (ctx) => {
  const { racing, later } = await refundSixTimes(ctx);
  if (!racing.some(({ kind }) => kind === "done"))
    undecided("no refund of the transaction was accepted", `${ID}/accepted`);
  needAnswer(later);
  ctx.observe("G21", `a second refund of a whole transaction ${later.fate}`);
  const actual = "returned 200 for a second refund of a whole transaction: possibly a double refund";
  demand(later.kind !== "done", later, actual, "a rejection");
});

const PARTIAL = "handling of refunds of parts of the amount, and then of the rest";
check("partial", PARTIAL, { observe: "N24", pays: 4, probe: true }, async (ctx) => {
  for (const { what, response } of (await refundInParts(ctx)).refunds) {
    needAnswer(response);
    ctx.observe("N24", `a refund of ${what} ${response.fate}`);
  }
});

// Each part is sent in other ways, which change nothing about what is refunded.
const OTHER_WAYS = "takes a refund in whatever way it is sent";
check("values/accepted", OTHER_WAYS, { should: "R046", pays: [0, 4], probe: true }, async (ctx) => {
  const { accepted } = await refundInParts(ctx);
  if (accepted.length === 0) throw notInParts();
  // To find out which of its ways is to blame would take a refund for each step, so only what the service says counts.
  for (const whole of ctx.run.varied) {
    const { operation, response, plain } = whole;
    const { kind, json, asDocumented, namedFields } = response;
    const isOwn =
      kind === "crashed"
        ? json !== undefined
        : kind === "rejected" && (asDocumented || namedFields.length > 0);
    if (operation === ID && plain?.kind === "done" && isOwn)
      await judgeRejected(ctx, { whole, least: whole });
  }
});

// Whether there are partial refunds is open. Where there are, they must not add up to more than was paid.
const ADD_UP = "refuses a further refund once the refunded parts add up to the amount";
check("parts-add-up", ADD_UP, { critical: "G21", pays: [0, 4], probe: true }, async (ctx) => {
  const { entry, accepted, left } = await refundInParts(ctx);
  if (accepted.length < 2 || left() > 0) throw notInParts();
  // Other amounts than before, so that none can be taken for a retry; the smallest shows the least that is left.
  const smallest = Number.isInteger(accepted[0]?.bodySent.amount) ? 1 : 0.01;
  for (const amount of [smallest, shareOf(entry.amount, 0.2)]) {
    const further = await ctx.send(ID, {}, { draft: refundDraft(ctx, { ...entry, amount }) });
    const actual = `${further.outcome} for a further refund of ${amount} of a transaction that was refunded in full, in ${accepted.length} parts`;
    demand(further.kind !== "done", further, actual, "a rejection", accepted);
  }
});

const TO_THE_CENT = "refunds the exact rest of a transaction after parts with cents";
check("rest-to-the-cent", TO_THE_CENT, { critical: ["R047"], pays: [0, 4], probe: true }, async (ctx) => {
  const { entry, refunds, accepted, left } = await refundInParts(ctx);
  // An API that refuses less than the rest as well may have a limit of refunds.
  if (accepted.length <= PARTS.length) throw notInParts();
  const [rest, less] = refunds.slice(PARTS.length).map(({ response }) => response);
  if (!rest || !less) return;
  const actual = `${rest.outcome} for the last ${rest.bodySent.amount} of a transaction with the amount ${entry.amount}, and refunded ${less.bodySent.amount}`;
  demand(left() === 0, rest, actual, "a refund of what is left", accepted);
});

// Whoever reads what is left, pays and then writes down the new sum refunds more than was paid.
const AT_ONCE =
  "refunds no more than the amount, whether parts arrive at the same moment or the whole after a part";
const AT_ONCE_OPTIONS = { critical: "G21", pays: [0, ROUNDS.length + 1], probe: true } as const;
check("parts-at-once", AT_ONCE, AT_ONCE_OPTIONS, async (ctx) => {
  const { entry, accepted, total } = await refundTogether(ctx);
  const [first, ...more] = accepted;
  // A deployment may refuse each of several refunds that arrive together.
  if (!first) return;
  const actual = `returned 200 for ${accepted.length} refunds of ${total()} in all, of which several arrived together: the transaction has the amount ${entry.amount}`;
  demand(total() <= entry.amount, first, actual, "refunds of that amount at most", more);
});

// A refund of a part that refunds everything leaves nothing else to see: no further part is accepted.
const FURTHER = "refunds a further part of a transaction after it refunded a part";
check("further-part", FURTHER, { should: "N24", pays: [0, 1], probe: true }, async (ctx) => {
  const { entry, refunds, accepted } = await refundInParts(ctx);
  const [part, ...more] = accepted;
  if (!part) throw notInParts();
  if (more.length > 0) return;
  const rejected = refunds.flatMap(({ response }) => (response.kind === "done" ? [] : [response]));
  if (rejected.some(({ kind }) => kind !== "rejected"))
    undecided("no further part of the transaction was accepted, and not each was rejected");
  // A deployment may refund each transaction once. It refunded too much if it says so, or refunds others in several parts.
  const others = (await ifDecided(refundTogether(ctx)))?.accepted ?? [];
  const denial = rejected.find(({ text }) => saysNothingLeft(text));
  const decisive = denial ?? rejected.at(-1) ?? part;
  const actual = `refunded ${part.bodySent.amount} of ${entry.amount}, and then rejected ${rejected.length} refunds of further parts and of the rest: the first one may have refunded the whole amount`;
  const expected = "a refund of a further part, unless a transaction can be refunded only once";
  if (denial || others.length > 1)
    ctx.warn(`${actual}; expected ${expected}`, { critical: true, response: decisive });
  else demand(false, decisive, actual, expected, [part]);
});

const WITHOUT_AMOUNT = "handling of refunds without amount, of a whole transaction and after a part of it";
check("without-amount", WITHOUT_AMOUNT, { observe: "N25", pays: 1 }, async (ctx) => {
  await ctx.ordinary(ID);
  const whole = await ctx.send(ID, {}, { draft: withoutAmount(refundDraft(ctx)) });
  ctx.observe("N25", `a refund without amount of a whole transaction ${whole.fate}`);
  if (!ctx.target.allow.probeWrites || (await refundInParts(ctx)).accepted.length === 0) return;
  const { last } = await refundTogether(ctx);
  if (last) ctx.observe("N25", `a refund without amount after a part ${last.fate}`);
});

const REFUNDABLE = "refuses a refund of a refundable transaction without an Authorization header";
check("auth/refundable", REFUNDABLE, { must: ["R003"] }, async (ctx) => {
  const { keyless, notTested } = await ctx.control(ID);
  if (!keyless) throw notTested ?? new Error("the control was not sent without a key first");
  ctx.note(keyless);
  demandNotDone(keyless, "there is no Authorization header");
});

const twice = (original: number) => original * 2;

for (const [name, what, amountOf, basis] of [
  ["negative", "amount is -1 for a refundable transaction", () => -1, { critical: "G02" }],
  ["zero", "amount is 0 for a refundable transaction", () => 0, { should: "G02" }],
  ["above-original", "amount is twice that of a refundable transaction", twice, { critical: "G02" }],
] as const) {
  const send = (ctx: CheckContext) => sendOddAmount(ctx, name, amountOf);
  rejects(`refundTransaction/amount-${name}`, basis, { what, field: "amount", apart: true, send });
}

const RESEMBLING = "transactionRef is that of a refundable transaction with letters behind it";
const NO_SUCH = rejectionTitle(contract[ID].noun, RESEMBLING);
check("transactionRef-with-letters", NO_SUCH, { critical: ["R046"] }, async (ctx) => {
  const draft = refundDraft(ctx, await oddEntry(ctx));
  const body = { ...draft.body, transactionRef: `${draft.reference}abc` };
  demandNotDone(await ctx.send(ID, {}, { draft: { ...draft, body } }), RESEMBLING);
});

/** The refunds that another merchant tries, with and without the amount. */
const foreignRefunds = (ctx: CheckContext) =>
  ctx.run.once(`${ID}/other-merchant`, async () => {
    const draft = refundDraft(ctx, await oddEntry(ctx));
    const send = (tried: typeof draft) => ctx.other.send(ID, {}, { draft: tried });
    return { whole: await send(draft), withoutAmount: await send(withoutAmount(draft)) };
  });

const AFTER_ODD =
  "refunds a transaction after a refund of 0, and after it refused one of twice its amount and one by another merchant";
check("after-odd-amount", AFTER_ODD, { critical: ["R047"], pays: [0, 1] }, async (ctx) => {
  await ctx.ordinary(ID);
  await sendOddAmount(ctx, "zero", () => 0);
  const first = await sendOddAmount(ctx, "above-original", twice);
  if (first.kind !== "rejected")
    undecided(`a refund of twice the amount ${first.fate}`, `${ID}/amount-above-original`);
  const foreign = Object.values((await ifDecided(foreignRefunds(ctx))) ?? {});
  if (foreign.some(({ kind }) => kind === "done"))
    undecided("another merchant refunded it", `${ID}/other-merchant`);
  const draft = refundDraft(ctx, await oddEntry(ctx));
  const isOfIt = ({ bodySent }: ApiResponse) => bodySent.transactionRef === draft.reference;
  const before = ctx.run.responsesTo(ID).filter((one) => isOfIt(one) && one.kind === "done");
  // A refund that was accepted although it is wrong may have left nothing; other checks blame that.
  if (before.some(({ bodySent }) => bodySent.amount !== 0))
    undecided("something of the transaction was refunded before");
  const response = await ctx.send(ID, {}, { draft });
  const tried = [before[0] ? "accepted one of 0" : "refused one of twice the amount"];
  if (foreign.length > 0) tried.push("refused one by another merchant");
  const actual = `${response.outcome} to the refund of a transaction, after it ${tried.join(" and ")}`;
  const others = [...before, first, ...foreign];
  demand(response.kind === "done", response, actual, "200: nothing of it was to be refunded before", others);
});

rejectsOtherMerchant(ID, {
  what: "the transaction is another merchant's",
  requirement: "R048",
  status: 404,
  send: async (ctx) => (await foreignRefunds(ctx)).whole,
  otherwise: {
    what: "the transaction is another merchant's and amount is missing",
    send: async (ctx) => (await foreignRefunds(ctx)).withoutAmount,
  },
});

const ACCEPTED_BODY_EMPTY = "returns an empty JSON object for a refund";
check("accepted-body-empty", ACCEPTED_BODY_EMPTY, { should: ["R047"] }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  const members = Object.keys(Object(response.json));
  const actual = `${response.outcome} with ${members.join(", ")}`;
  demand(members.length === 0, response, actual, "an empty JSON object");
});

/** Sends one refund five times at once, and a sixth time after all five have their responses; does so once per run. */
async function refundSixTimes(ctx: CheckContext) {
  const repeated = await ctx.run.once("refund/six-times", async () => {
    const draft = refundDraft(ctx);
    const send = (options: SendOptions = {}) => ctx.send(ID, {}, { draft, mayBeBusy: true, ...options });
    return { racing: await sendAtOnce(ctx, ID, RACERS, send), later: await send() };
  });
  for (const response of [...repeated.racing, repeated.later]) ctx.note(response);
  return repeated;
}

// Refunds that name no transaction of the operator's, so they use none up.

const NO_AMOUNT = "amount is missing and no transaction has this transactionRef";
rejects(
  "refundTransaction/amount-omitted",
  { must: ["R048"] },
  {
    change: { body: { transactionRef: FRESH, amount: undefined } },
    what: NO_AMOUNT,
    status: 404,
    judge: (ctx, response) => {
      demandNotDone(response, NO_AMOUNT);
      ctx.observe("N25", `a refund of an unknown transaction without amount ${response.fate}`);
    },
  },
);

for (const [name, what, body] of [
  ["transactionRef-omitted", "transactionRef is missing", { transactionRef: undefined }],
  ["body-empty", "the body is an empty object", { transactionRef: undefined, amount: undefined }],
] as const) {
  check(name, rejectionTitle(contract[ID].noun, what), { critical: ["R046"] }, async (ctx) => {
    const response = await ctx.sendInvalid(ID, { body });
    ctx.observe("N40", `a refund that names no transaction ${response.fate}`);
    demandNotDone(response, what);
  });
}

for (const [name, what, transactionRef] of [
  ["quotes", "transactionRef has quotes and SQL", "' OR '1'='1';--"],
  ["of-300-characters", "transactionRef has 300 characters", "r".repeat(300)],
] as const) {
  check(`transactionRef-${name}`, `does not crash when ${what}`, { should: "N43" }, async (ctx) => {
    demandNoCrash(await ctx.sendInvalid(ID, { body: { transactionRef } }), what);
  });
}
