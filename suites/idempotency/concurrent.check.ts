import type { Answer } from "../../fixtures/http/answer.ts";
import { NotTested } from "../../fixtures/http/findings.ts";
import { needDirectConnection, sendPartially } from "../../fixtures/http/partial-request.ts";
import { expectPaidOnce, repliesToRepeats } from "../../fixtures/judge/repeats.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";
import { repeatedTransfer } from "./repeated-transfer.ts";

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
