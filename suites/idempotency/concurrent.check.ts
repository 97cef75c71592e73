import { Inconclusive, NotTested } from "../../fixtures/http/findings.ts";
import { sendPartially } from "../../fixtures/http/partial-request.ts";
import { expectPaidOnce, repliesToRepeats } from "../../fixtures/judge/repeats.ts";
import { countable } from "../../fixtures/lists/counting.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { contract } from "../../schemas/contract.ts";

/** Requests that are released at the same moment, each on a connection of its own. */
const RACERS = 12;

check("createTransfer/idempotency/concurrent", "TITLE", { must: ["R087"], pays: 1 }, async (ctx) => {
  await countable(ctx);
  const racers = Math.min(RACERS, ctx.run.ledger.room);
  if (racers < 2) throw new NotTested("budget", "MAX_PAYOUTS leaves no room for a race", ["MAX_PAYOUTS"]);
  const answers = await race(ctx, racers);
  const [reference] = answers.map(
    ({ request }) => JSON.parse(String(request.body)).transferReference as string,
  );

  await expectPaidOnce(ctx, reference ?? "", answers);
  if (!answers.some(({ isSuccess }) => isSuccess)) ctx.warn("no request of the race won");
  ctx.observe("G05", `identical transfers at the same moment get ${repliesToRepeats(answers)}`);
});

/** Sends one transfer many times at once: all connections are open and all but the last byte is sent before any is released. */
async function race(ctx: CheckContext, racers: number) {
  const draft = ctx.draft("createTransfer");
  if (ctx.values.HTTPS_PROXY)
    throw new Inconclusive("connections cannot be held open side by side through HTTPS_PROXY");
  let ready = 0;
  let start: () => void = () => {};
  const barrier = new Promise<void>((resolve) => {
    start = resolve;
  });
  const repeats: never[] = [];
  const runners = Array.from({ length: racers }, () =>
    ctx.send(
      "createTransfer",
      {},
      {
        draft,
        repeats,
        via: async (request, sending) => {
          const held = await sendPartially(ctx.target, contract.createTransfer, request, sending);
          ready += 1;
          if (ready === racers) start();
          await barrier;
          return held.release();
        },
      },
    ),
  );
  // A connection that cannot be opened must not leave the others waiting at the barrier.
  for (const runner of runners) runner.catch(start);
  return Promise.all(runners);
}
