import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { isAuthenticated } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectPaidOnce, failAsLost } from "../../fixtures/judge/repeats.ts";
import { countAll, countLive, isListedLive, needCountable, settle } from "../../fixtures/lists/counting.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import type { Countable } from "../../fixtures/lists/transfer-counts.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";

const ID = "createTransfer";
/** Transfers that broke the target, of which so many are looked up. */
const MOST = 20;

check(
  "createTransfer/all-accepted-are-listed",
  "TITLE",
  { runsAfterStop: true, must: ["R011", "R054", "R082"] },
  async (ctx) => {
    const how = await needCountable(ctx);
    const accepted = transfers(ctx).filter(({ answers }) => answers.some(({ isSuccess }) => isSuccess));
    await settle(ctx);
    const missing = await unlisted(ctx, accepted, how);
    if (missing.length === 0) return;
    // Missing at first may only be slow; missing again after the promised time is lost.
    await settle(ctx);
    const [lost] = await unlisted(ctx, missing, how);
    const answer = lost?.answers.find(({ isSuccess }) => isSuccess);
    if (answer) failAsLost(ctx, answer);
  },
);

check("createTransfer/listed-once", "TITLE", { runsAfterStop: true, critical: ["R082"] }, async (ctx) => {
  const how = await needCountable(ctx);
  // In a list that is not found one transfer may be named in several places.
  await locate(ctx, "listTransfers");
  // A filter may find what only begins alike, or is in another letter case.
  const sent = (ctx.run.answers.get(ID) ?? []).map(({ request }) => String(request.body).toLowerCase());
  const once = transfers(ctx).filter(
    ({ reference, answers }) =>
      answers.length === 1 &&
      answers.every(({ isSuccess }) => isSuccess) &&
      sent.filter((body) => body.includes(reference)).length === 1,
  );
  for (const { reference, answers } of once) {
    // The specification shows no item of the list, so that one transfer may have more rows than one.
    if ((await countAll(ctx, reference, how)) <= 1) continue;
    const live = await countLive(ctx, reference, how);
    if (live !== undefined && live > 1)
      throw new Violation(
        answers[0] as Answer,
        `lists ${live} live transfers for one that was sent once: possibly paid twice`,
        "one",
      );
  }
});

check(
  "createTransfer/broken-is-not-paid",
  "TITLE",
  { runsAfterStop: true, critical: ["R087"] },
  async (ctx) => {
    const { notTested } = await controlOf(ctx, ID);
    if (notTested) throw notTested;
    const broken = transfers(ctx).filter(
      ({ answers }) => answers.some(({ is5xx }) => is5xx) && !answers.some(({ isSuccess }) => isSuccess),
    );
    if (broken.length > 0) await settle(ctx);
    for (const { reference, answers } of broken.slice(0, MOST)) {
      const answer = answers.find(({ is5xx }) => is5xx);
      if (answer && (await isListedLive(ctx, reference)))
        throw new Violation(
          answer,
          `${outcomeOf(answer)}, yet lists the transfer as live`,
          "an answer that says what was paid",
        );
    }
  },
);

check("createTransfer/idempotency/repeated-at-end", "TITLE", { must: ["R087"] }, async (ctx) => {
  await needCountable(ctx);
  const early = ctx.run.repeated.find(({ answers: [first] }) => first && first.isSuccess);
  const [first] = early?.answers ?? [];
  if (!early || !first)
    throw new Inconclusive("no reference was sent twice: select createTransfer/idempotency/* as well");
  const body: unknown = JSON.parse(String(first.request.body));
  const draft = { ...ctx.draft(ID), body: Object(body), reference: early.reference };
  const answers = [first];
  await ctx.send(ID, {}, { draft, repeats: answers });
  await expectPaidOnce(ctx, early.reference, answers);
});

interface Transfer {
  readonly reference: string;
  readonly answers: readonly Answer[];
}

/** What was sent with this deployment's key in the whole run, by its reference. */
function transfers({ run }: CheckContext): Transfer[] {
  const known = new Map<string, Answer[]>();
  for (const answer of run.answers.get(ID) ?? []) {
    const reference = run.builder.referenceIn(String(answer.request.body ?? ""));
    if (reference === undefined || !isAuthenticated(answer, run.target)) continue;
    known.set(reference, [...(known.get(reference) ?? []), answer]);
  }
  return [...known].map(([reference, answers]) => ({ reference, answers }));
}

async function unlisted(ctx: CheckContext, sent: readonly Transfer[], how: Countable): Promise<Transfer[]> {
  const missing: Transfer[] = [];
  for (const transfer of sent) {
    if ((await countAll(ctx, transfer.reference, how)) === 0) missing.push(transfer);
  }
  return missing;
}
