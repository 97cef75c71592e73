import type { Answer } from "../../fixtures/engine/http/answer.ts";
import type { Built } from "../../fixtures/engine/http/build.ts";
import { Inconclusive, ifDecided } from "../../fixtures/engine/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/engine/http/sent.ts";
import { outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { expectDistinct, expectThat } from "../../fixtures/engine/judge/matchers.ts";
import {
  identifiers,
  listedPayouts,
  paidAgain,
  repliesToRepeats,
} from "../../fixtures/engine/judge/repeats.ts";
import { openBook } from "../../fixtures/engine/lists/book.ts";
import { scalars } from "../../fixtures/engine/lists/json-pointer.ts";
import { locate } from "../../fixtures/engine/lists/locate.ts";
import { readWidest } from "../../fixtures/engine/lists/pages.ts";
import type { CheckContext, SendOptions } from "../../fixtures/engine/run/check-context.ts";
import { controlOf } from "../../fixtures/engine/run/control.ts";

const ID = "createTransfer";

/** Prepares one transfer that a check sends several times; learns first how the list counts transfers. */
export async function repeatedTransfer(ctx: CheckContext) {
  const book = await openBook(ctx);
  const draft = ctx.draft(ID);
  /** The answers so far, in the order in which they arrived. */
  const repeats: Answer[] = [];
  const send = (change: Readonly<Record<string, unknown>> = {}, options: SendOptions = {}) => {
    const body = { ...draft.body, ...change };
    return ctx.send(ID, {}, { draft: { ...draft, body }, repeats, ...options });
  };
  return { draft, reference: draft.reference, book, answers: repeats, send };
}

/**
 * Sends a transfer, its reference again with another value of `field`, and the first transfer again. The API may reject
 * the second request or replay the first payout; it must not pay again.
 */
export async function repeatWithOther(ctx: CheckContext, field: string, value: unknown, what: string) {
  const { draft, reference, answers, send } = await repeatedTransfer(ctx);
  await send();
  await send({ [field]: value });

  ctx.observe("G06", `a repeat with ${what} gets ${repliesToRepeats(answers)}`);
  // The other body must not have taken the place of the first one.
  await send();
  await expectOnePayout(ctx, reference, answers);
  await expectUnchanged(ctx, draft, field, value);
}

/** Demands that the further requests with a reference neither paid again nor got another transactionId. */
export async function expectOnePayout(ctx: CheckContext, reference: string, answers: readonly Answer[]) {
  const [first] = answers;
  const last = answers.at(-1);
  if (!first || !last || first === last) throw new Error("the reference was not sent twice");
  if (!first.isSuccess) throw new Inconclusive(`the first request ${outcomeOf(first)}`, `${ID}/accepted`);
  await ctx.run.settling.pause();
  const shown = await listedPayouts(ctx, reference);
  if (shown?.surplus)
    throw paidAgain(answers, reference, shown.all, "after repeats of which one had a different body");
  const isReplay = identifiers(answers).size <= 1;
  const actual = "returned another transactionId for the same reference";
  expectThat(isReplay, last, actual, "the first transactionId or a rejection", answers);
}

/** Demands that a second transfer with another reference is paid as well; `transfers` describes the two. */
export function expectBothPaid(first: Answer, second: Answer, transfers: string) {
  const actual = `${outcomeOf(second)} for the second of two ${transfers}`;
  expectThat(second.isSuccess, second, actual, "a new payout for a new reference", [first]);
  expectDistinct("transactionId", first, second, transfers);
}

/** Demands that the list still shows the first value of `field`, if it shows that field at all. */
async function expectUnchanged(ctx: CheckContext, sent: Built, field: string, repeated: unknown) {
  const located = await ifDecided(locate(ctx, "listTransfers"));
  const { answer: control } = await controlOf(ctx, ID);
  if (!located || !control) return;
  const usual = await rowOf(ctx, requireReferenceSent(control));
  const row = await rowOf(ctx, sent.reference);
  const place = scalars(usual.item).find(([, value]) => String(value) === String(sent.body?.[field]))?.[0];
  const shown = scalars(row.item).find(([path]) => path === place)?.[1];
  const isUnchanged = shown === undefined || String(shown) !== String(repeated);
  const actual = `lists the transfer with the ${field} of the repeat, which was not paid`;
  expectThat(isUnchanged, row.answer, actual, `the ${field} of the accepted request`);
}

async function rowOf(ctx: CheckContext, transferReference: string) {
  const { answer, items } = await readWidest(ctx, "listTransfers", { transferReference });
  return { answer, item: items[0] };
}
