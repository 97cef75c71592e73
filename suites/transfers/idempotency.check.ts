import type { Answer } from "../../fixtures/engine/http/answer.ts";
import { Inconclusive, ifDecided, NotTested } from "../../fixtures/engine/http/findings.ts";
import { needDirectConnection, sendPartially } from "../../fixtures/engine/http/partial-request.ts";
import { handlingOf, outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { expectPaidOnce, listedPayouts, repliesToRepeats } from "../../fixtures/engine/judge/repeats.ts";
import { check } from "../../fixtures/engine/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/engine/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";
import { repeatedTransfer } from "./repeated-transfer.ts";

const must = { must: ["R087"], pays: 1 } as const;
/** A request that is lost or rejected may use up its reference, so that nothing is paid. */
const mustIfPaid = { must: ["R087"], pays: [0, 1] } as const;

check(
  "createTransfer/idempotency/sequential",
  "pays once when a transfer is sent four times in a row",
  must,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    for (let attempt = 0; attempt < 4; attempt += 1) await send();

    await expectPaidOnce(ctx, reference, answers);
    const [first, ...repeats] = answers;
    const crash = repeats.find((repeat) => repeat.is5xx && !repeat.isThrottled);
    if (first?.isSuccess && crash)
      ctx.warn(`${outcomeOf(crash)} for the repeat of an accepted transfer; expected a response below 500`, {
        answer: crash,
      });
    ctx.observe("G05", `a repeated transfer gets ${repliesToRepeats(answers)}`);
  },
);

check(
  "createTransfer/idempotency/delayed",
  "pays once when a transfer is repeated after a pause",
  must,
  async (ctx) => {
    const { reference, answers, repeat } = await notedTransfer(ctx);
    await ctx.run.settling.pause();
    await ctx.run.settling.pause();
    await repeat();

    await expectPaidOnce(ctx, reference, answers);
  },
);

check(
  "createTransfer/idempotency/lost-response",
  "pays once when a transfer is retried after its response was lost",
  mustIfPaid,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    needDirectConnection(ctx.target);
    await send({}, { via: closing(ctx, "abandon") });
    await ctx.run.settling.pause();
    await send();

    await judgeRetry(ctx, reference, answers);
  },
);

check(
  "createTransfer/idempotency/timeout",
  "pays once when a transfer is retried after a timeout",
  mustIfPaid,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    await send({}, { deadlineMs: shorterThanUsual(ctx) });
    await send();

    await ctx.run.settling.pause();
    await judgeRetry(ctx, reference, answers);
  },
);

check(
  "createTransfer/idempotency/half-sent",
  "pays once when a transfer is sent again after an incomplete request",
  mustIfPaid,
  async (ctx) => {
    const { reference, book, answers, send } = await repeatedTransfer(ctx);
    needDirectConnection(ctx.target);
    await send({}, { via: closing(ctx, "cut") });
    await ctx.run.settling.pause();
    const early = await book?.rows(reference);
    await send();

    await expectPaidOnce(ctx, reference, answers);
    if (early) ctx.warn("paid a transfer whose body never arrived completely");
  },
);

check(
  "createTransfer/idempotency/after-refusal",
  "pays once when a rejected transfer is corrected and sent twice under its reference",
  mustIfPaid,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    await send({ amount: undefined });
    const corrected = await send();
    // The rejection must not have used up the memory of the reference either.
    await send();

    ctx.observe("G05", `the corrected repeat of a rejected transfer ${handlingOf(corrected)}`);
    const judged = expectPaidOnce(ctx, reference, answers);
    // The rejection may use up the reference: then nothing was paid, and that is fine.
    const isRejected = !corrected.isSuccess && corrected.status !== undefined && !corrected.is5xx;
    await (isRejected ? ifDecided(judged) : judged);
  },
);

check(
  "createTransfer/idempotency/refusal-between",
  "pays once when an invalid request with its reference comes between a transfer and its repeat",
  must,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    await send();
    await send({ amount: undefined });
    await send();

    await expectPaidOnce(ctx, reference, answers);
  },
);

check(
  "createTransfer/idempotency/other-path-form",
  "pays once when a transfer is repeated at the other documented form of its path",
  must,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    const usual = ctx.run.settings.pathForms.createTransfer;
    await send();
    // A deployment need not have both forms (section 4): then this is rejected, and nothing is paid.
    await send({}, { pathForm: usual === "bare" ? "prefixed" : "bare" });

    await expectPaidOnce(ctx, reference, answers);
  },
);

/** A transfer with an optional field, or without one if the API rejects its text, and how to repeat it. */
async function notedTransfer(ctx: CheckContext) {
  const noted = await repeatedTransfer(ctx);
  const note = { transferNote: "conformance" };
  const first = await noted.send(note);
  if (first.isSuccess) return { ...noted, repeat: () => noted.send(note) };
  const plain = await repeatedTransfer(ctx);
  await plain.send();
  return { ...plain, repeat: () => plain.send() };
}

/** Sends a transfer and closes the connection before the response is read (`abandon`) or the last byte sent (`cut`). */
const closing =
  ({ target }: CheckContext, how: "abandon" | "cut"): NonNullable<SendOptions["via"]> =>
  async (request, sending) =>
    (await sendPartially(target, contract.createTransfer, request, sending))[how]();

/** Half the usual duration of a transfer in milliseconds: the first request may still run when the retry arrives. */
function shorterThanUsual({ run }: CheckContext): number {
  const successes = run.answersTo("createTransfer").filter(({ isSuccess }) => isSuccess);
  const durations = successes.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  const usual = durations[Math.floor(durations.length / 2)] ?? run.target.timeoutMs;
  return Math.max(1, Math.floor(usual / 2));
}

/**
 * Judges the retry of a request that got no response. A rejection is right if that request was paid; it is a critical
 * warning if nothing was paid.
 */
async function judgeRetry(ctx: CheckContext, reference: string, answers: readonly Answer[]) {
  if (answers.some(({ isSuccess }) => isSuccess)) return expectPaidOnce(ctx, reference, answers);
  // A request that is still in progress is listed later.
  const look = () => listedPayouts(ctx, reference);
  const shown = await ctx.run.settling.until(look, (seen) => seen?.all !== 0);
  if (shown?.surplus) return expectPaidOnce(ctx, reference, answers);
  if (shown && shown.all > 0) return;
  const retry = answers.at(-1);
  if (!shown || !retry || retry.isThrottled || retry.status === undefined || retry.is5xx)
    throw new Inconclusive("the retry was not accepted, and the outcome of the lost request is unknown");
  const actual =
    "rejected the retry of a lost request that it never paid: the reference is used up without a payout";
  ctx.warn(actual, { critical: true });
}

/** Requests that are completed at the same moment, each on a connection of its own. */
const RACERS = 12;

check(
  "createTransfer/idempotency/concurrent",
  "pays once when the same transfer arrives many times at the same moment",
  { must: ["R087"], pays: [0, 1] },
  async (ctx) => {
    const { reference, send } = await repeatedTransfer(ctx);
    const racers = Math.min(RACERS, ctx.run.ledger.room);
    if (racers < 2) throw new NotTested("budget", "MAX_PAYOUTS leaves no room for a race", ["MAX_PAYOUTS"]);
    const answers = await race(ctx, racers, (via) => send({}, { via }));

    await expectPaidOnce(ctx, reference, answers);
    if (!answers.some(({ isSuccess }) => isSuccess))
      ctx.warn("accepted none of several identical transfers that arrived at the same moment");
    ctx.observe("G05", `identical transfers at the same moment get ${repliesToRepeats(answers)}`);
  },
);

/** Opens every connection and sends all but the last byte of each request, then all the last bytes at once. */
function race(
  ctx: CheckContext,
  racers: number,
  send: (via: NonNullable<SendOptions["via"]>) => Promise<Answer>,
): Promise<Answer[]> {
  needDirectConnection(ctx.target);
  let ready = 0;
  let start: () => void = () => {};
  const barrier = new Promise<void>((resolve) => {
    start = resolve;
  });
  const runners = Array.from({ length: racers }, () =>
    send(async (request, sending) => {
      const held = await sendPartially(ctx.target, contract.createTransfer, request, sending);
      ready += 1;
      if (ready === racers) start();
      await barrier;
      return held.release();
    }),
  );
  // A connection that cannot be opened must not leave the others waiting at the barrier.
  for (const runner of runners) runner.catch(start);
  return Promise.all(runners);
}
