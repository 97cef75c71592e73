import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { Inconclusive, ifDecided, Violation } from "../../../fixtures/engine/http/findings.ts";
import { isAuthenticated, textSent } from "../../../fixtures/engine/http/sent.ts";
import { outcomeOf } from "../../../fixtures/engine/http/wording.ts";
import { expectAccepted } from "../../../fixtures/engine/judge/expect-accepted.ts";
import { expectAnswered } from "../../../fixtures/engine/judge/matchers.ts";
import { needBook, settleAll } from "../../../fixtures/engine/lists/book.ts";
import { locate } from "../../../fixtures/engine/lists/locate.ts";
import { findsNothing } from "../../../fixtures/engine/lists/query.ts";
import { type Basis, check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf } from "../../../fixtures/engine/run/control.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { answerTo } from "../authentication/credentials.ts";
import { leaveNothing, TRANSFERS_LEAVE_NOTHING } from "../repeatability/late-checks.ts";
import { answerToDefect, invalidRequests } from "../statuses-and-bodies/requests.ts";

/** What an operation creates, and how a read shows that it was created. */
interface Trace {
  readonly id: OperationId;
  /** What a message says was created. */
  readonly created: string;
  /** Whether a read shows what a request with this reference, link or code would create. */
  readonly shows: (ctx: CheckContext, reference: string) => Promise<boolean>;
  /** The level of the check that an invalid request creates nothing. */
  readonly invalid: Basis;
}

const TRACES: readonly Trace[] = [
  {
    id: "createTransfer",
    created: "the transfer is listed",
    shows: isPaid,
    invalid: TRANSFERS_LEAVE_NOTHING,
  },
  {
    id: "createPaymentPage",
    created: "its link is taken",
    shows: isTaken,
    invalid: { critical: "practice" },
  },
  {
    id: "createDiscountCode",
    created: "the code is listed",
    shows: isListed,
    invalid: { critical: "practice" },
  },
];

// A rejection is only half the proof: a rejected request must not have created anything.
for (const trace of TRACES) {
  const { id, invalid } = trace;
  const { noun } = contract[id];

  const keyless = `creates nothing when it refuses ${noun} without a valid key`;
  check(`${id}/auth/leaves-nothing`, keyless, { must: ["R003"] }, async (ctx) => {
    await answerTo(ctx, id, "no-header", { authorization: null });
    await judge(ctx, trace, (answer) => !isAuthenticated(answer, ctx.target));
  });

  const { id: name, title } = leaveNothing(id);
  check(name, title, invalid, async (ctx) => {
    await Promise.all(invalidRequests(contract[id]).map((defect) => answerToDefect(ctx, id, defect)));
    await judge(ctx, trace, (answer) => isAuthenticated(answer, ctx.target));
  });
}

/** Looks up what the rejected requests of the run that `isMeant` selects would have created. */
async function judge(ctx: CheckContext, { id, created, shows }: Trace, isMeant: (answer: Answer) => boolean) {
  const { notTested } = await controlOf(ctx, id);
  if (notTested) throw notTested;
  const rejected = alwaysRejected(ctx, id).filter(({ answer }) => isMeant(answer));
  if (rejected.length === 0) throw new Inconclusive("no request with a reference of its own was rejected");
  await settleAll(ctx);
  const { fresh }: Operation = contract[id];
  if (await shows(ctx, ctx.run.builder.fresh(fresh)))
    throw new Inconclusive(`for a reference that was never sent, ${created} too, so this proves nothing`);
  for (const { answer, reference } of rejected) {
    if (!(await shows(ctx, reference))) continue;
    ctx.note(answer);
    const actual = `${outcomeOf(answer)}, but ${created} afterwards`;
    throw new Violation(answer, actual, "no trace of a rejected request");
  }
}

/** The requests of the run whose reference was rejected every time it was sent, each with one of its rejections. */
function alwaysRejected(ctx: CheckContext, id: OperationId): { answer: Answer; reference: string }[] {
  const sent = ctx.run.answersTo(id).flatMap((answer) => {
    const reference = ctx.run.builder.referenceIn(textSent(answer));
    // The list or the link check may reject a reference for its form, too.
    const isUsual = reference !== undefined && ctx.run.builder.isInUsualForm(reference);
    return isUsual ? [{ answer, reference }] : [];
  });
  const doubtful = new Set(
    sent.flatMap(({ answer, reference }) => (answer.carriedOut === "no" ? [] : [reference])),
  );
  const certain = sent.filter(({ answer, reference }) => answer.complete && !doubtful.has(reference));
  return [...new Map(certain.map((one) => [one.reference, one])).values()];
}

async function isPaid(ctx: CheckContext, reference: string): Promise<boolean> {
  const found = await (await needBook(ctx)).ofRejected(reference);
  if (!found) return false;
  const { paid, unverified, unknown } = found;
  if (unverified + unknown > 0)
    ctx.warn("lists a transfer as Unverified that it rejected", { critical: true });
  return paid > 0;
}

async function isTaken(ctx: CheckContext, customLink: string): Promise<boolean> {
  const answer = await ctx.send("checkCustomLink", { body: { customLink } });
  expectAnswered(answer);
  if (answer.failure) throw new Inconclusive(outcomeOf(answer));
  return !answer.isSuccess;
}

async function isListed(ctx: CheckContext, code: string): Promise<boolean> {
  const answer = await ctx.send("listDiscountCodes", { query: { code } });
  if (findsNothing(answer, { code })) return false;
  await expectAccepted(ctx, answer);
  // The answer may repeat the query outside the list.
  const located = await ifDecided(locate(ctx, "listDiscountCodes"));
  const text = located ? JSON.stringify(located.itemsIn(answer.json)) : answer.text;
  return text.toLowerCase().includes(`"${code.toLowerCase()}"`);
}
