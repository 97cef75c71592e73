import { ifDecided } from "../../fixtures/http/findings.ts";
import { needDirectConnection } from "../../fixtures/http/partial-request.ts";
import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { expectPaidOnce, repliesToRepeats } from "../../fixtures/judge/repeats.ts";
import { countAll, settle } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import { repeatedTransfer } from "./repeated-transfer.ts";
import { closing, judgeRejectedRetry, shorterThanUsual } from "./unanswered.ts";

const options = { must: ["R087"], pays: 1 } as const;

check(
  "createTransfer/idempotency/sequential",
  "pays once when a transfer is sent four times in a row",
  options,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    for (let attempt = 0; attempt < 4; attempt += 1) await send();

    await expectPaidOnce(ctx, reference, answers);
    const [first, ...repeats] = answers;
    const crash = repeats.find((repeat) => repeat.is5xx && !repeat.isThrottled);
    if (first?.isSuccess && crash)
      ctx.warn(`${outcomeOf(crash)} for the repeat of an accepted transfer; expected a response below 500`);
    ctx.observe("G05", `a repeated transfer gets ${repliesToRepeats(answers)}`);
  },
);

check(
  "createTransfer/idempotency/delayed",
  "pays once when a transfer is repeated after a pause",
  options,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    await send();
    await settle(ctx);
    await settle(ctx);
    await send();

    await expectPaidOnce(ctx, reference, answers);
  },
);

check(
  "createTransfer/idempotency/lost-response",
  "pays once when a transfer is retried after its response was lost",
  options,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    needDirectConnection(ctx.target);
    await send({}, { via: closing(ctx, "abandon") });
    await settle(ctx);
    const retry = await send();

    if (retry.isSuccess) await expectPaidOnce(ctx, reference, answers);
    else await judgeRejectedRetry(ctx, reference, answers);
  },
);

check(
  "createTransfer/idempotency/timeout",
  "pays once when a transfer is retried after a timeout",
  options,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    await send({}, { deadlineMs: shorterThanUsual(ctx) });
    await send();

    await settle(ctx);
    // Without a success, the first response came too late for us, and the API is right to reject the retry.
    if (answers.some(({ isSuccess }) => isSuccess)) await expectPaidOnce(ctx, reference, answers);
    else await judgeRejectedRetry(ctx, reference, answers);
  },
);

check(
  "createTransfer/idempotency/half-sent",
  "pays once when a transfer is sent again after an incomplete request",
  options,
  async (ctx) => {
    const { reference, how, answers, send } = await repeatedTransfer(ctx);
    needDirectConnection(ctx.target);
    await send({}, { via: closing(ctx, "cut") });
    await settle(ctx);
    const early = how && (await countAll(ctx, reference, how));
    await send();

    await expectPaidOnce(ctx, reference, answers);
    if (early) ctx.warn("paid a transfer whose body never arrived completely");
  },
);

check(
  "createTransfer/idempotency/after-refusal",
  "pays once when a rejected transfer is corrected and sent again under its reference",
  options,
  async (ctx) => {
    const { reference, answers, send } = await repeatedTransfer(ctx);
    await send({ amount: undefined });
    const corrected = await send();

    ctx.observe("G05", `the corrected repeat of a rejected transfer ${handlingOf(corrected)}`);
    const judged = expectPaidOnce(ctx, reference, answers);
    // The rejection may use up the reference: then nothing was paid, and that is fine.
    const isRejected = !corrected.isSuccess && corrected.status !== undefined && !corrected.is5xx;
    await (isRejected ? ifDecided(judged) : judged);
  },
);
