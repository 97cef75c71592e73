import { needDirectConnection, sendPartially } from "../../fixtures/engine/http/transport.ts";
import { otherWays } from "../../fixtures/engine/judge/rows.ts";
import { openBook } from "../../fixtures/engine/lists/book.ts";
import {
  type CheckContext,
  checksUnder,
  demand,
  ifDecided,
  type SendOptions,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { ROUNDS, raceInRounds, worthOf } from "../every-operation/repeats/race.ts";
import {
  expectPaidOnce,
  listedPayouts,
  paysOnce,
  type RepeatedTransfer,
  repeatedTransfer,
  repliesToRepeats,
} from "./repeated-transfer.ts";

const ID = "createTransfer";
const check = checksUnder(`${ID}/idempotency`);

type Via = NonNullable<SendOptions["via"]>;

paysOnce("sequential", "a transfer is sent four times in a row", 1, async (ctx, { responses, send }) => {
  await send();
  await send();
  // A repeat is one however it is sent: an address, a client or a session does not make it another transfer.
  for (const ways of otherWays(ctx, ID, 2)) await ifDecided(send({}, { ways }));
  return () => {
    const [first, ...repeats] = responses;
    const crash = repeats.find((repeat) => repeat.is5xx && !repeat.isThrottled);
    if (first?.isSuccess && crash)
      ctx.warn(`${crash.outcome} for the repeat of an accepted transfer; expected a response below 500`, {
        critical: true,
        response: crash,
      });
    ctx.observe("G05", `a repeated transfer gets ${repliesToRepeats(responses)}`);
  };
});

const INVALID_BETWEEN = "an invalid request with its reference comes between a transfer and its repeat";
paysOnce("refusal-between", INVALID_BETWEEN, 1, async (_, { send }) => {
  await send();
  await send({ amount: undefined });
  await send();
});

const AT_OTHER_FORM = "a transfer is repeated at the other documented form of its path";
paysOnce("other-path-form", AT_OTHER_FORM, 1, async ({ run }, { send }) => {
  await send();
  // A deployment need not have both forms (section 4): then this is rejected, and nothing is paid.
  await send({}, { pathForm: run.settings.pathForms.createTransfer === "bare" ? "prefixed" : "bare" });
});

const INCOMPLETE = "a transfer is sent again after an incomplete request";
paysOnce("half-sent", INCOMPLETE, 0, async (ctx, { reference, send }) => {
  await send({}, { via: closing(ctx, "cut") });
  await ctx.run.settling.pause();
  const early = await (await openBook(ctx))?.ofRejected(reference);
  await send();
  return () => {
    if (early?.paid) ctx.warn("paid a transfer whose body never arrived completely", { critical: true });
  };
});

const AT_ONCE = "pays once when the same transfer arrives many times at the same moment";
check("concurrent", AT_ONCE, { must: ["R087"], pays: [0, ROUNDS.length] }, async (ctx) => {
  await ctx.ordinary(ID);
  const prepare = () => repeatedTransfer(ctx);
  const races = await raceInRounds(ctx, ID, prepare, ({ send }, via) => send({}, { via }));
  await Promise.all(races.map(({ one }) => expectPaidOnce(ctx, one)));
  for (const { responses } of races)
    ctx.observe("G05", `identical transfers at the same moment get ${repliesToRepeats(responses)}`);
  if (!races.some(({ responses }) => responses.some(({ isSuccess }) => isSuccess)))
    undecided("none of several identical transfers that arrived at the same moment was accepted");
  ctx.observe("G05", `identical transfers are paid once in ${worthOf(races.length)}`);
});

const AFTER_PAUSE = "pays once when a transfer is repeated after a pause";
check("delayed", AFTER_PAUSE, { must: ["R087"], pays: 1 }, async (ctx) => {
  // An optional field may show that a retry is not compared as a whole; the API may reject its text.
  let note: Readonly<Record<string, unknown>> = { transferNote: "conformance" };
  let transfer = await repeatedTransfer(ctx);
  if (!(await transfer.send(note)).isSuccess) {
    note = {};
    transfer = await repeatedTransfer(ctx);
    await transfer.send();
  }
  await ctx.run.settling.pause();
  await ctx.run.settling.pause();
  await transfer.send(note);

  await expectPaidOnce(ctx, transfer);
});

/** Sends a transfer that is rejected, and then corrected twice under its reference; once per run. */
async function correctedTransfer(ctx: CheckContext) {
  const sent = await ctx.run.once(`${ID}/corrected`, async () => {
    const transfer = await repeatedTransfer(ctx);
    const rejected = await transfer.send({ amount: undefined });
    const corrected = await transfer.send();
    // The rejection must not have used up the memory of the reference either.
    await transfer.send();
    return { transfer, rejected, corrected };
  });
  for (const response of sent.transfer.responses) ctx.note(response);
  return sent;
}

const AFTER_REFUSAL = "pays once when a rejected transfer is corrected and sent twice under its reference";
check("after-refusal", AFTER_REFUSAL, { must: ["R087"], pays: [0, 1] }, async (ctx) => {
  const { transfer, corrected } = await correctedTransfer(ctx);
  ctx.observe("G05", `the corrected repeat of a rejected transfer ${corrected.fate}`);
  if (transfer.responses.some((response) => response.handling !== "rejected" || response.isThrottled))
    return expectPaidOnce(ctx, transfer);
  const shown = await listedPayouts(ctx, transfer.reference);
  if (shown && shown.all > 0) await expectPaidOnce(ctx, transfer);
});

// Nothing was paid and the client knows it, so it may also send the transfer under another reference.
const CORRECTED = "accepts the correction of a transfer that it rejected, under the same reference";
check("corrected", CORRECTED, { should: ["R087"], pays: [0, 1] }, async (ctx) => {
  const { transfer, rejected, corrected } = await correctedTransfer(ctx);
  if (rejected.handling !== "rejected" || rejected.isThrottled)
    undecided(`a transfer without amount ${rejected.fate}`, `${ID}/amount/missing`);
  if (corrected.handling !== "rejected" || corrected.isThrottled) return;
  const shown = await listedPayouts(ctx, transfer.reference);
  if (shown && shown.all > 0) return;
  const actual = `${corrected.outcome} to the correction of a transfer that it had rejected: the reference is used up without a payout`;
  demand(false, corrected, actual, "the transfer to be accepted", [rejected]);
});

for (const [name, what, lose] of [
  ["lost-response", "its response was lost", (ctx: CheckContext) => ({ via: closing(ctx, "abandon") })],
  ["timeout", "a timeout", (ctx: CheckContext) => ({ deadlineMs: shorterThanUsual(ctx) })],
] as const) {
  const title = `pays once when a transfer is retried after ${what}`;
  check(name, title, { must: ["R087"], pays: [0, 1] }, async (ctx) => {
    const transfer = await repeatedTransfer(ctx);
    await transfer.send({}, lose(ctx));
    // After a timeout, the first request may still run when the retry arrives.
    if (name === "lost-response") await ctx.run.settling.pause();
    await transfer.send();
    if (name === "timeout") await ctx.run.settling.pause();
    await judgeRetry(ctx, transfer);
  });
}

/**
 * Judges the retry of a request that got no response. A rejection is right if that request was paid, or is listed as
 * rejected; if there is no trace of it, that is a critical finding: the client takes it for paid.
 */
async function judgeRetry(ctx: CheckContext, transfer: RepeatedTransfer) {
  const { reference, responses } = transfer;
  if (responses.some(({ isSuccess }) => isSuccess)) return expectPaidOnce(ctx, transfer);
  // A request that is still in progress is listed later.
  const look = () => listedPayouts(ctx, reference);
  const shown = await ctx.run.settling.until(look, (seen) => seen?.all !== 0);
  if (shown?.surplus) return expectPaidOnce(ctx, transfer);
  if (shown && shown.all > 0) return;
  const retry = responses.at(-1);
  if (!shown || !retry || retry.isThrottled || retry.status === undefined || retry.is5xx)
    undecided("the retry was not accepted, and the outcome of the lost request is unknown");
  ctx.warn(
    "rejected the retry of a lost request that it never paid: the reference is used up without a payout",
    {
      critical: true,
    },
  );
}

/** Sends a transfer and closes the connection before the response is read (`abandon`) or the last byte sent (`cut`). */
function closing({ target }: CheckContext, how: "abandon" | "cut"): Via {
  needDirectConnection(target);
  return async (request, sending) =>
    (await sendPartially(target, contract.createTransfer, request, sending))[how]();
}

/** Half the usual duration of a transfer in milliseconds. */
function shorterThanUsual({ run }: CheckContext): number {
  const successes = run.responsesTo("createTransfer").filter(({ isSuccess }) => isSuccess);
  const durations = successes.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  const usual = durations[Math.floor(durations.length / 2)] ?? run.target.timeoutMs;
  return Math.max(1, Math.floor(usual / 2));
}
