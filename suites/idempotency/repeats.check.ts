import type { Answer } from "../../fixtures/http/answer.ts";
import type { Built } from "../../fixtures/http/build.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { needDirectConnection, sendPartially } from "../../fixtures/http/partial-request.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectPaidOnce, repliesToRepeats, show } from "../../fixtures/judge/repeats.ts";
import { countAll, countable, settle } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";

const ID = "createTransfer";
const must = { must: ["R087"], pays: 1 } as const;

check("createTransfer/idempotency/sequential", "TITLE", must, async (ctx) => {
  await countable(ctx);
  const draft = ctx.draft(ID);
  const answers: Answer[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) await ctx.send(ID, {}, { draft, repeats: answers });

  await expectPaidOnce(ctx, draft.reference, answers);
  const [first, ...repeats] = answers;
  const broken = repeats.find((repeat) => repeat.is5xx && !repeat.isThrottled);
  if (first && first.isSuccess && broken)
    ctx.warn(`${outcomeOf(broken)} to the repeat of an accepted transfer, expected below 500`);
  ctx.observe("G05", `a repeated transfer gets ${repliesToRepeats(answers)}`);
});

check("createTransfer/idempotency/delayed", "TITLE", must, async (ctx) => {
  await countable(ctx);
  const draft = ctx.draft(ID);
  const answers: Answer[] = [];
  await ctx.send(ID, {}, { draft, repeats: answers });
  await settle(ctx);
  await settle(ctx);
  await ctx.send(ID, {}, { draft, repeats: answers });

  await expectPaidOnce(ctx, draft.reference, answers);
});

check("createTransfer/idempotency/lost-response", "TITLE", must, async (ctx) => {
  await countable(ctx);
  const draft = ctx.draft(ID);
  const answers: Answer[] = [];
  await sendInVain(ctx, draft, answers, "abandon");
  await settle(ctx);
  const retry = await ctx.send(ID, {}, { draft, repeats: answers });

  if (!retry.isSuccess) {
    await judgeBurnt(ctx, draft.reference, answers);
    return;
  }
  await expectPaidOnce(ctx, draft.reference, answers);
});

check("createTransfer/idempotency/timeout", "TITLE", must, async (ctx) => {
  await countable(ctx);
  const draft = ctx.draft(ID);
  const answers: Answer[] = [];
  await ctx.send(ID, {}, { draft, repeats: answers, deadlineMs: shorterThanUsual(ctx) });
  await ctx.send(ID, {}, { draft, repeats: answers });

  await settle(ctx);
  // No success was heard of: the first answer came too late for us, and a refusal of the retry is right then.
  if (answers.some(({ isSuccess }) => isSuccess)) await expectPaidOnce(ctx, draft.reference, answers);
  else await judgeBurnt(ctx, draft.reference, answers);
});

check("createTransfer/idempotency/half-sent", "TITLE", must, async (ctx) => {
  const how = await countable(ctx);
  const draft = ctx.draft(ID);
  const answers: Answer[] = [];
  await sendInVain(ctx, draft, answers, "cut");
  await settle(ctx);
  const early = how && (await countAll(ctx, draft.reference, how));
  await ctx.send(ID, {}, { draft, repeats: answers });

  await expectPaidOnce(ctx, draft.reference, answers);
  if (early) ctx.warn("carried out a request whose body never arrived completely");
});

check("createTransfer/idempotency/after-refusal", "TITLE", must, async (ctx) => {
  await countable(ctx);
  const draft = ctx.draft(ID);
  const { amount: _, ...body } = draft.body ?? {};
  const refusal = await ctx.send(ID, {}, { draft: { ...draft, body } });
  const answers: Answer[] = [refusal];
  await ctx.send(ID, {}, { draft, repeats: answers });

  ctx.observe(
    "G05",
    `a reference that was refused once and is sent again corrected ${outcomeOf(answers[1] ?? refusal)}`,
  );
  await expectPaidOnce(ctx, draft.reference, answers).catch((error: unknown) => {
    // A reference may be used up by its refusal: nothing was paid then, and nothing is wrong.
    if (
      !(
        error instanceof Inconclusive &&
        answers[1] &&
        !answers[1].isSuccess &&
        (answers[1].status ?? 500) < 500
      )
    )
      throw error;
  });
});

/** Half of the usual time a transfer takes, so that the first sending may still run when the second arrives. */
function shorterThanUsual({ run }: CheckContext): number {
  const durations = (run.answers.get(ID) ?? [])
    .filter(({ isSuccess }) => isSuccess)
    .map(({ durationMs }) => durationMs)
    .toSorted((a, b) => a - b);
  const usual = durations[Math.floor(durations.length / 2)] ?? run.target.timeoutMs;
  return Math.max(1, Math.floor(usual / 2));
}

/** Sends a transfer and closes the connection: before an answer can be read, or before the last byte has left. */
async function sendInVain(ctx: CheckContext, draft: Built, answers: Answer[], how: "abandon" | "cut") {
  needDirectConnection(ctx.target);
  await ctx.send(
    ID,
    {},
    {
      draft,
      repeats: answers,
      via: async (request, sending) =>
        (await sendPartially(ctx.target, contract[ID], request, sending))[how](),
    },
  );
}

/** The retry of a lost request was refused: right if the lost one paid, and a warning if nobody did. */
async function judgeBurnt(ctx: CheckContext, reference: string, answers: readonly Answer[]) {
  let shown = await show(ctx, reference);
  if (shown?.all === 0) {
    // What is refused as being in progress shows later.
    await settle(ctx);
    shown = await show(ctx, reference);
  }
  if (shown && shown.all > 0) {
    if (shown.surplus) await expectPaidOnce(ctx, reference, answers);
    return;
  }
  const retry = answers.at(-1);
  if (!shown || !retry || retry.isThrottled || (retry.status ?? 500) >= 500)
    throw new Inconclusive("the retry was not accepted, and what became of the lost request is unknown");
  ctx.warn(
    "refused the retry of a lost request that it never paid: the reference is used up without a payout",
    { critical: true },
  );
}
