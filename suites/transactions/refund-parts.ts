import { sendNextRow } from "../../fixtures/engine/judge/rows.ts";
import { claimRefund } from "../../fixtures/engine/run/control.ts";
import {
  type ApiResponse,
  type CheckContext,
  refundDraft,
  type SendOptions,
  skip,
} from "../../fixtures/engine/vocabulary.ts";
import { ROUNDS, raceInRounds } from "../every-operation/repeats/race.ts";

const ID = "refundTransaction";

/** One transaction serves all amounts that must be rejected. */
export const oddEntry = (ctx: CheckContext) =>
  ctx.run.once(`${ID}/odd-amounts`, async () => claimRefund(ctx));

/** Sends one of these amounts, once per run. */
export function sendOddAmount(ctx: CheckContext, name: string, amountOf: (original: number) => number) {
  return ctx.once(`${ID}/amount-${name}`, async () => {
    const entry = await oddEntry(ctx);
    return ctx.send(ID, {}, { draft: refundDraft(ctx, entry, amountOf(entry.amount)) });
  });
}

/** One of the operator's transactions, of which parts are refunded. */
type Trial = ReturnType<typeof tryParts>;

function tryParts(ctx: CheckContext) {
  const entry = claimRefund(ctx);
  const refunds: { readonly what: string; readonly response: ApiResponse }[] = [];
  const accepted: ApiResponse[] = [];
  const total = () => toCents(sum(accepted.map(({ bodySent }) => Number(bodySent.amount))));
  const left = () => toCents(entry.amount - total());
  return {
    entry,
    /** All refunds that were tried, in words and with their responses. */
    refunds,
    accepted,
    /** What the accepted refunds add up to, and what they leave. */
    total,
    left,
    refund: async (what: string, amount: number, via?: SendOptions["via"]) => {
      const draft = refundDraft(ctx, { ...entry, amount });
      const options = { draft, mayBeBusy: true } as const;
      const response = via
        ? await ctx.send(ID, {}, { ...options, via })
        : await sendNextRow(ctx, ID, (change, { ways }) => ctx.send(ID, change, { ...options, ways }));
      refunds.push({ what, response });
      if (response.kind === "done") accepted.push(response);
      return response;
    },
    /** Refunds an amount in the ordinary way; without one, what is left. */
    refundPlainly: async (what: string, amount?: number) => {
      const draft = refundDraft(ctx, { ...entry, amount: amount ?? left() });
      const sent = amount === undefined ? withoutAmount(draft) : draft;
      const response = await ctx.send(ID, {}, { draft: sent, mayBeBusy: true });
      refunds.push({ what, response });
      if (response.kind === "done" && amount !== undefined) accepted.push(response);
      return response;
    },
  };
}

/** Makes the same refund without its amount; what it refunds is open (N25). */
export const withoutAmount = <D extends ReturnType<typeof refundDraft>>(draft: D): D => ({
  ...draft,
  body: { ...draft.body, amount: undefined },
});

/**
 * The shares of the amount that are refunded first, roughly: a small one, since that may be what refunds everything, and so
 * much that little is left, of which a difference of doubles loses the last digits.
 */
export const PARTS = [0.02, 0.6, 0.35];

const CENTS_TRIED = 20;

/**
 * Parts with cents for which most calculations with doubles deny that the rest is left; none of a very small amount. An API
 * that rounds refunds to units, or to tenths of them, treats the rest like 0.01 less.
 */
function partsInCents(amount: number): number[] {
  let best = { parts: [] as number[], denials: 0 };
  for (let n = 0; n < CENTS_TRIED ** PARTS.length; n += 1) {
    const more = (place: number) => Math.floor(n / CENTS_TRIED ** place) % CENTS_TRIED;
    const parts = PARTS.map((share, place) => (Math.ceil(amount * share * 100) + 1 + more(place)) / 100);
    const rest = toCents(amount - sum(parts));
    const denials = denialsInDoubles(amount, parts, rest);
    const isRounded = [0, 1, 5, 6].includes(Math.round(rest * 100) % 10);
    // Equal refunds may be taken for retries.
    const areDifferent = new Set([...parts, rest, toCents(rest - 0.01)]).size === PARTS.length + 2;
    if (rest > 0 && !isRounded && areDifferent && denials > best.denials) best = { parts, denials };
  }
  return best.parts;
}

/** How many calculations with doubles find that the rest is more than what is left. */
function denialsInDoubles(amount: number, parts: readonly number[], rest: number): number {
  const all = sum(parts);
  const left = parts.reduce((before, part) => before - part, amount);
  const denials = [rest > left, rest > amount - all, rest > amount - toCents(all), all + rest > amount];
  return denials.filter(Boolean).length;
}

/**
 * Refunds parts of a transaction, then the rest. If that is refused: one cent less, or the smallest part if there was one
 * part alone. Once per run.
 */
export const refundInParts = (ctx: CheckContext) =>
  trialOnce(ctx, "refund/in-parts", async (trial) => {
    const { accepted, left, refund } = trial;
    await refundFirstParts(trial);
    if (accepted.length > 0 && (await refund("the rest", left())).kind === "rejected") {
      const hasCents = !Number.isInteger(accepted[0]?.bodySent.amount);
      if (accepted.length === PARTS.length) await refund("the rest less 0.01", toCents(left() - 0.01));
      if (accepted.length === 1) await refund("the smallest part", hasCents ? 0.01 : 1);
    }
    return {};
  });

async function refundFirstParts({ entry, accepted, refund }: Trial) {
  for (const part of partsInCents(entry.amount))
    if ((await refund("a part with cents", part)).kind !== "done") break;
  // Some currencies have no cents.
  if (accepted.length === 0) await refund("a part of the amount", shareOf(entry.amount, 0.6));
}

/**
 * Refunds, in races, parts that exceed what is left together, then the whole amount, which is more than what is left, and
 * then what is left, without amount. Once per run; throws `NotTested` if the API refunds no parts.
 */
export async function refundTogether(ctx: CheckContext) {
  if ((await refundInParts(ctx)).accepted.length === 0) throw notInParts();
  return trialOnce(ctx, "refund/together", async (trial) => {
    const { entry, accepted, left, refund, refundPlainly } = trial;
    const prepare = async () => (left() > 0 ? left() : undefined);
    await raceInRounds(ctx, ID, prepare, (most, via, place) =>
      refund("a part among several at once", largePart(most, place), via),
    );
    const isInPart = () => accepted.length > 0 && left() > 0;
    // A refund of the whole may be carried out without a look at what was refunded before.
    if (isInPart()) await refundPlainly("the whole amount after a part", entry.amount);
    return { last: isInPart() ? await refundPlainly("what is left, without amount") : undefined };
  });
}

async function trialOnce<T extends object>(
  ctx: CheckContext,
  key: string,
  run: (trial: Trial) => Promise<T>,
) {
  const trial = await ctx.run.once(key, async () => {
    const parts = tryParts(ctx);
    return { ...parts, ...(await run(parts)) };
  });
  for (const { response } of trial.refunds) ctx.note(response);
  return trial;
}

export const notInParts = () => skip("the API does not refund a transaction in these parts");

/** Any two of these parts are more than `left`, and no two are the same, so that none can be taken for a retry. */
function largePart(left: number, place: number): number {
  const unit = left > 2 * Math.max(...ROUNDS.map(({ racers }) => racers)) ? 1 : 0.01;
  return toCents((Math.floor(left / 2 / unit) + 1 + place) * unit);
}

const toCents = (amount: number) => Math.round(amount * 100) / 100;

const sum = (amounts: readonly number[]) => amounts.reduce((before, amount) => before + amount, 0);

/** A share of an amount, in whole units where that leaves something. */
export function shareOf(amount: number, share: number): number {
  const whole = Math.ceil(amount * share);
  return whole < amount ? whole : toCents(amount * share);
}

/** Whether a text says that the amount that is left is 0; how many refunds are left is another matter. */
export function saysNothingLeft(text: string): boolean {
  const left = "(?:remain\\w*|left|refundable|available)";
  const zero = "(?<![\\d.,])0+(?:[.,]0+)?(?![\\d.,]*\\d)";
  const [found = "refunds"] =
    new RegExp(`${left}[^\\d]{0,30}${zero}|${zero}[^\\d]{0,30}\\b${left}`, "i").exec(text) ?? [];
  return !/refunds|times|attempts|count/i.test(found);
}
