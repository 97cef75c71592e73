import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { countable } from "../../fixtures/counting.ts";
import { Inconclusive, NotTested } from "../../fixtures/findings.ts";
import { hold } from "../../fixtures/held.ts";
import { disposition, judgeRepeats } from "../../fixtures/repeats.ts";
import { check } from "../../fixtures/test.ts";
import { contract } from "../../schemas/contract.ts";

/** Requests that are released at the same moment, each on a connection of its own. */
const RACERS = 12;

check(
  "createTransfer/idempotency/concurrent",
  { level: "MUST", requirements: ["R087"], pays: 1 },
  async (bench) => {
    await countable(bench);
    const racers = Math.min(RACERS, bench.run.ledger.room);
    if (racers < 2) throw new NotTested("budget", "MAX_PAYOUTS leaves no room for a race", ["MAX_PAYOUTS"]);
    const answers = await race(bench, racers);
    const [reference] = answers.map(
      ({ request }) => JSON.parse(String(request.body)).transferReference as string,
    );

    await judgeRepeats(bench, reference ?? "", answers);
    if (!answers.some(isSuccess)) bench.warn("no request of the race won");
    bench.observe("G05", `identical transfers at the same moment get ${disposition(answers)}`);
  },
);

/** Sends one transfer many times at once: all connections are open and all but the last byte is sent before any is released. */
async function race(bench: Bench, racers: number) {
  const draft = bench.draft("createTransfer");
  if (bench.values.HTTPS_PROXY)
    throw new Inconclusive("connections cannot be held open side by side through HTTPS_PROXY");
  let ready = 0;
  let start: () => void = () => {};
  const barrier = new Promise<void>((resolve) => {
    start = resolve;
  });
  const repeats: never[] = [];
  const runners = Array.from({ length: racers }, () =>
    bench.send(
      "createTransfer",
      {},
      {
        draft,
        repeats,
        via: async (request, sending) => {
          const held = await hold(bench.target, contract.createTransfer, request, sending);
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
