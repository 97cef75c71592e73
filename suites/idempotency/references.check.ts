import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { identifiers, repliesToRepeats, show } from "../../fixtures/judge/repeats.ts";
import { countable, settle } from "../../fixtures/lists/counting.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import type { Change } from "../../schemas/operation.ts";

const ID = "createTransfer";

check("createTransfer/idempotency/other-amount", "TITLE", { critical: "G06", pays: 1 }, async (ctx) => {
  const amount = ctx.need("TRANSFER_AMOUNT");
  await sendsOtherBody(ctx, { body: { amount: amount * 2 } }, "another amount");
});

check("createTransfer/idempotency/other-account", "TITLE", { critical: "G06", pays: 1 }, async (ctx) => {
  await sendsOtherBody(
    ctx,
    { body: { accountNumber: ctx.need("SECOND_ACCOUNT_NUMBER") } },
    "another account",
  );
});

check("createTransfer/idempotency/other-notation", "TITLE", { critical: ["R087"], pays: 1 }, async (ctx) => {
  await countable(ctx);
  const draft = ctx.draft(ID);
  const { amount, ...rest } = draft.body ?? {};
  // The same members in another order, and the same number in another notation.
  const bytes = `{${Object.entries(rest)
    .reverse()
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(", ")}, "amount": ${Number(amount).toFixed(2)}}`;
  const answers: Answer[] = [];
  await ctx.send(ID, {}, { draft, repeats: answers });
  await ctx.send(ID, {}, { draft, repeats: answers, bytes });
  const transferNote = `payments-conformance ${ctx.run.settings.runId}`;
  // The domain is reserved, so that nobody gets this mail.
  for (const more of [{ transferNote }, { emailAddress: "payments-conformance@example.com" }])
    await ctx.send(ID, {}, { draft: { ...draft, body: { ...draft.body, ...more } }, repeats: answers });

  await judgeSecond(ctx, draft.reference, answers);
  ctx.observe(
    "G06",
    `a repeat in another notation, with a transferNote or for another emailAddress, gets ${repliesToRepeats(answers)}`,
  );
});

check(
  "createTransfer/idempotency/distinct-references",
  "TITLE",
  { critical: ["R087"], pays: 1 },
  async (ctx) => {
    const { answer: one, accepted, notTested } = await controlOf(ctx, ID);
    if (!one || !accepted)
      throw notTested ?? new Inconclusive("the ordinary transfer was not accepted", `${ID}/accepted`);
    // The same body as the ordinary transfer's, but for the reference.
    const two = await ctx.send(ID);
    if (two.failure || (two.status ?? 500) >= 500 || two.status === 429)
      throw new Inconclusive(`the second of two transfers ${outcomeOf(two)}`);
    if (!two.isSuccess)
      throw new Violation(
        two,
        `refused a transfer that differs from an earlier one only in its reference (${outcomeOf(two)})`,
        "a new payout for a new reference",
      );
    if (identifiers([one, two]).size === 1)
      throw new Violation(
        two,
        "answered the transactionId of an earlier transfer for another reference",
        "a new payout for a new reference",
      );
  },
);

check(
  "createTransfer/idempotency/case-of-reference",
  "TITLE",
  { observe: "G20", pays: 2, probe: true },
  async (ctx) => {
    const draft = ctx.draft(ID);
    const first = await ctx.send(ID, {}, { draft });
    const second = await ctx.send(ID, {}, { draft: withReference(draft, draft.reference.toUpperCase()) });
    ctx.observe(
      "G20",
      `a reference in upper case after the same in lower case gets ${repliesToRepeats([first, second])}`,
    );
  },
);

check(
  "createTransfer/idempotency/space-after-reference",
  "TITLE",
  { observe: "G05", pays: 2, probe: true },
  async (ctx) => {
    const draft = ctx.draft(ID);
    const first = await ctx.send(ID, {}, { draft });
    const second = await ctx.send(ID, {}, { draft: withReference(draft, `${draft.reference} `) });
    ctx.observe("G05", `a reference with a space after it gets ${repliesToRepeats([first, second])}`);
  },
);

check("createTransfer/idempotency/two-merchants", "TITLE", { critical: "G18", pays: 1 }, async (ctx) => {
  const authorization = `Bearer ${ctx.need("SECOND_SECRET_KEY")}`;
  const { answer: mine, accepted, notTested } = await controlOf(ctx, ID);
  if (!mine || !accepted)
    throw notTested ?? new Inconclusive("the ordinary transfer was not accepted", `${ID}/accepted`);
  const draft = withReference(ctx.draft(ID), requireReferenceSent(mine));
  const theirs = await ctx.send(ID, {}, { draft, authorization });
  if (theirs.isSuccess && identifiers([mine, theirs]).size === 1) {
    throw new Violation(theirs, "answered another merchant's transactionId", "nothing of another merchant");
  }
  ctx.observe(
    "G05",
    `a reference that another merchant used ${theirs.isSuccess ? "is accepted" : outcomeOf(theirs)}`,
  );
});

type Draft = ReturnType<CheckContext["draft"]>;

const withReference = (draft: Draft, transferReference: string): Draft => ({
  ...draft,
  body: { ...draft.body, transferReference },
});

/** The same reference with another body: refusing it and replaying the first are fine, a second payout is not. */
async function sendsOtherBody(ctx: CheckContext, { body }: Change, what: string) {
  await countable(ctx);
  const draft = ctx.draft(ID);
  const answers: Answer[] = [];
  await ctx.send(ID, {}, { draft, repeats: answers });
  await ctx.send(ID, {}, { draft: { ...draft, body: { ...draft.body, ...body } }, repeats: answers });

  ctx.observe("G06", `a repeat with ${what} gets ${repliesToRepeats(answers)}`);
  await judgeSecond(ctx, draft.reference, answers);
  await judgeRow(ctx, draft, body);
}

/** The listed transfer must still be the first one; says nothing where the list does not show what was changed. */
async function judgeRow(ctx: CheckContext, { body, reference }: Draft, changed: Change["body"]) {
  const isLocated = await locate(ctx, "listTransfers").then(
    () => true,
    () => false,
  );
  const { answer: control } = await controlOf(ctx, ID);
  if (!isLocated || !control) return;
  const [[name, second] = ["", undefined]] = Object.entries(changed ?? {});
  const usual = await rowOf(ctx, requireReferenceSent(control));
  const row = await rowOf(ctx, reference);
  const place = scalars(usual.item).find(([, value]) => String(value) === String(body?.[name]))?.[0];
  const shown = scalars(row.item).find(([path]) => path === place)?.[1];
  if (place !== undefined && shown !== undefined && String(shown) === String(second))
    throw new Violation(
      row.answer,
      `lists the transfer with the ${name} of the repeat, which was not carried out`,
      `the ${name} that was accepted`,
    );
}

async function rowOf(ctx: CheckContext, transferReference: string) {
  const { answer, items } = await readFiltered(ctx, "listTransfers", { transferReference });
  return { answer, item: items[0] };
}

async function judgeSecond(ctx: CheckContext, reference: string, answers: readonly Answer[]) {
  const [first, ...further] = answers;
  const second = further.at(-1);
  if (!first || !second) throw new Error("two sendings were meant");
  if (!first.isSuccess)
    throw new Inconclusive(`the first sending ${outcomeOf(first)}`, "createTransfer/accepted");
  await settle(ctx);
  const shown = await show(ctx, reference);
  if (shown?.surplus)
    throw new Violation(
      second,
      `paid the reference ${reference} twice: ${shown.all} transfers are listed`,
      "one payout, or a refusal",
    );
  if (identifiers(answers).size > 1) {
    throw new Violation(
      second,
      "answered another transactionId for the same reference",
      "the first transactionId, or a refusal",
    );
  }
}
