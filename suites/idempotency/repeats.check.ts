import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import type { Built } from "../../fixtures/build.ts";
import { isStatus5xx, isSuccess, isThrottled } from "../../fixtures/classify.ts";
import { countAll, countable, settle } from "../../fixtures/counting.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { hold, needDirect } from "../../fixtures/held.ts";
import { disposition, judgeRepeats, show } from "../../fixtures/repeats.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";

const ID = "createTransfer";
const must = { level: "MUST", requirements: ["R087"], pays: 1 } as const;

check("createTransfer/idempotency/sequential", must, async (bench) => {
  await countable(bench);
  const draft = bench.draft(ID);
  const answers: Answer[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) await bench.send(ID, {}, { draft, repeats: answers });

  await judgeRepeats(bench, draft.reference, answers);
  const [first, ...repeats] = answers;
  const broken = repeats.find((repeat) => isStatus5xx(repeat) && !isThrottled(repeat));
  if (first && isSuccess(first) && broken)
    bench.warn(`${outcomeOf(broken)} to the repeat of an accepted transfer, expected below 500`);
  bench.observe("G05", `a repeated transfer gets ${disposition(answers)}`);
});

check("createTransfer/idempotency/delayed", must, async (bench) => {
  await countable(bench);
  const draft = bench.draft(ID);
  const answers: Answer[] = [];
  await bench.send(ID, {}, { draft, repeats: answers });
  await settle(bench);
  await settle(bench);
  await bench.send(ID, {}, { draft, repeats: answers });

  await judgeRepeats(bench, draft.reference, answers);
});

check("createTransfer/idempotency/lost-response", must, async (bench) => {
  await countable(bench);
  const draft = bench.draft(ID);
  const answers: Answer[] = [];
  await sendInVain(bench, draft, answers, "abandon");
  await settle(bench);
  const retry = await bench.send(ID, {}, { draft, repeats: answers });

  if (!isSuccess(retry)) {
    await judgeBurnt(bench, draft.reference, answers);
    return;
  }
  await judgeRepeats(bench, draft.reference, answers);
});

check("createTransfer/idempotency/timeout", must, async (bench) => {
  await countable(bench);
  const draft = bench.draft(ID);
  const answers: Answer[] = [];
  await bench.send(ID, {}, { draft, repeats: answers, deadlineMs: shorterThanUsual(bench) });
  await bench.send(ID, {}, { draft, repeats: answers });

  await settle(bench);
  // No success was heard of: the first answer came too late for us, and a refusal of the retry is right then.
  if (answers.some(isSuccess)) await judgeRepeats(bench, draft.reference, answers);
  else await judgeBurnt(bench, draft.reference, answers);
});

check("createTransfer/idempotency/half-sent", must, async (bench) => {
  const how = await countable(bench);
  const draft = bench.draft(ID);
  const answers: Answer[] = [];
  await sendInVain(bench, draft, answers, "cut");
  await settle(bench);
  const early = how && (await countAll(bench, draft.reference, how));
  await bench.send(ID, {}, { draft, repeats: answers });

  await judgeRepeats(bench, draft.reference, answers);
  if (early) bench.warn("carried out a request whose body never arrived completely");
});

check("createTransfer/idempotency/after-refusal", must, async (bench) => {
  await countable(bench);
  const draft = bench.draft(ID);
  const { amount: _, ...body } = draft.body ?? {};
  const refusal = await bench.send(ID, {}, { draft: { ...draft, body } });
  const answers: Answer[] = [refusal];
  await bench.send(ID, {}, { draft, repeats: answers });

  bench.observe(
    "G05",
    `a reference that was refused once and is sent again corrected ${outcomeOf(answers[1] ?? refusal)}`,
  );
  await judgeRepeats(bench, draft.reference, answers).catch((error: unknown) => {
    // A reference may be used up by its refusal: nothing was paid then, and nothing is wrong.
    if (
      !(
        error instanceof Inconclusive &&
        answers[1] &&
        !isSuccess(answers[1]) &&
        (answers[1].status ?? 500) < 500
      )
    )
      throw error;
  });
});

/** Half of the usual time a transfer takes, so that the first sending may still run when the second arrives. */
function shorterThanUsual({ run }: Bench): number {
  const durations = (run.answers.get(ID) ?? [])
    .filter(isSuccess)
    .map(({ durationMs }) => durationMs)
    .toSorted((a, b) => a - b);
  const usual = durations[Math.floor(durations.length / 2)] ?? run.target.timeoutMs;
  return Math.max(1, Math.floor(usual / 2));
}

/** Sends a transfer and closes the connection: before an answer can be read, or before the last byte has left. */
async function sendInVain(bench: Bench, draft: Built, answers: Answer[], how: "abandon" | "cut") {
  needDirect(bench);
  await bench.send(
    ID,
    {},
    {
      draft,
      repeats: answers,
      via: async (request, sending) => (await hold(bench.target, contract[ID], request, sending))[how](),
    },
  );
}

/** The retry of a lost request was refused: right if the lost one paid, and a warning if nobody did. */
async function judgeBurnt(bench: Bench, reference: string, answers: readonly Answer[]) {
  let shown = await show(bench, reference);
  if (shown?.all === 0) {
    // What is refused as being in progress shows later.
    await settle(bench);
    shown = await show(bench, reference);
  }
  if (shown && shown.all > 0) {
    if (shown.surplus) await judgeRepeats(bench, reference, answers);
    return;
  }
  const retry = answers.at(-1);
  if (!shown || !retry || isThrottled(retry) || (retry.status ?? 500) >= 500)
    throw new Inconclusive("the retry was not accepted, and what became of the lost request is unknown");
  bench.warn(
    "refused the retry of a lost request that it never paid: the reference is used up without a payout",
    { critical: true },
  );
}
