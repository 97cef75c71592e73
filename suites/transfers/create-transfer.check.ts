import { needDirectConnection, sendPartially } from "../../fixtures/engine/http/transport.ts";
import { isListedAsPaid, isPaid, needBook } from "../../fixtures/engine/lists/book.ts";
import type { TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  demandDone,
  type SendOptions,
  scalars,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";

import { plural } from "../../reports/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { inexact } from "../../schemas/values.ts";
import { listedUnder } from "./repeated-transfer.ts";

const ID = "createTransfer";
const check = checksUnder(ID);
const { noun, requirements } = contract[ID];

const ACCEPTED = `accepts ${noun} and returns the documented success`;
check("accepted", ACCEPTED, { must: requirements.success, pays: 1 }, async (ctx) => {
  const { response, accepted, diagnosis } = await ctx.control(ID);
  const refused = accepted ? [] : [...(response ? [response] : []), ...(diagnosis?.responses ?? [])];
  const rejected = refused.filter(({ carriedOut }) => carriedOut === "no");
  await expectNonePaid(ctx, rejected);
  await demandDone(ctx, ID);
});

// RFC 9112, section 8: a body shorter than its Content-Length is incomplete, even if what arrived is complete JSON.
const CUT_OFF_AFTER_JSON = "does not pay a transfer whose body is shorter than its Content-Length";
check("cut-off-after-json", CUT_OFF_AFTER_JSON, { should: "RFC 9112", pays: 1, probe: true }, async (ctx) => {
  needDirectConnection(ctx.target);
  const book = await needBook(ctx);
  const draft = ctx.draft(ID);
  const via: SendOptions["via"] = async (request, sending) => {
    // The space is announced, but the connection closes before it is sent.
    const body = Buffer.concat([request.body ?? Buffer.alloc(0), Buffer.from(" ")]);
    return (await sendPartially(ctx.target, contract[ID], { ...request, body }, sending)).cut();
  };
  const response = await ctx.send(ID, {}, { draft, via, mayBeBusy: true });
  await ctx.run.settling.pause();
  const rows = await book.rows(draft.reference);
  const actual = "paid a transfer although its body ended one byte before its Content-Length";
  demand(rows === 0, response, actual, "no payout for an incomplete request");
});

/**
 * Looks up transfers that the API says it rejected; what it paid all the same counts against the budget. A success
 * without transactionId has the same fields as a rejection, so only the list shows which one it is.
 */
async function expectNonePaid(ctx: CheckContext, refused: readonly ApiResponse[]) {
  const { settling } = ctx.run;
  if (refused.length > 0) await settling.pause();
  let first: ApiResponse | undefined;
  for (const response of refused) {
    const reference = response.requireReference();
    // A rejected transfer may be recorded, and take a while to reach a status that pays nothing.
    const look = () => isListedAsPaid(ctx, reference);
    if (!(await settling.until(look, (isPaid) => !isPaid))) continue;
    ctx.run.stopPaying(reference, ctx.info.id);
    first ??= response;
  }
  if (!first) return;
  const actual = `${first.outcome}${first.is2xx ? " without transactionId" : ""}, but lists the transfer as paid`;
  const expected = first.is2xx
    ? "transactionId in the response to an accepted transfer"
    : "no payout for a rejected request";
  demand(false, first, actual, expected);
}

const AMOUNT_WITH_CENTS = "lists an amount with cents as it was sent";
check("amount-with-cents", AMOUNT_WITH_CENTS, { critical: "N04", pays: 1, probe: true }, async (ctx) => {
  const ordinary = await ctx.ordinary(ID);
  const fields = amountFields(await rowOf(ctx, ordinary), Number(ordinary.bodySent.amount));
  const [field] = fields;
  if (!field) undecided("no field of a listed transfer shows its amount", `${ID}/listed-fields`);

  const amount = inexact(Math.floor(ctx.need("TRANSFER_AMOUNT")));
  const response = await ctx.sendTolerated(ID, { body: { amount } });
  if (!response.isSuccess) undecided(`an amount with cents ${response.fate}`);
  const row = new Map(scalars(await rowOf(ctx, response)));
  const isShown = fields.some(({ path, scale }) => isSame(row.get(path), amount * scale));
  const actual = `lists a transfer of ${amount} with ${field.path} ${JSON.stringify(row.get(field.path))}`;
  demand(isShown, response, actual, `${amount}, in the unit that other transfers have`);
});

/** A number of four bytes shows 19.99 as 19.989999771118164, so hardly any difference is one of rounding. */
const isSame = (shown: unknown, sum: number) => Math.abs((numberIn(shown) ?? Number.NaN) - sum) < 1e-7;

async function rowOf(ctx: CheckContext, transfer: ApiResponse): Promise<unknown> {
  const read = () => listedUnder(ctx, transfer.requireReference());
  const { items } = await ctx.run.settling.until(read, (found) => found.items.length > 0);
  if (items.length === 1) return items[0];
  const shown = `the list shows ${plural(items.length, "transfer")} under the reference of one`;
  undecided(shown, `${ID}/accepted-is-listed`);
}

/**
 * Finds the fields of a listed transfer that show the amount sent and have a name that fits an amount, each with its
 * multiple of the amount: 100 if it counts subunits.
 */
const amountFields = (row: unknown, amount: number) =>
  scalars(row).flatMap(([path, value]) => {
    const scale = [1, 100].find((times) => numberIn(value) === amount * times);
    return scale !== undefined && /amount|value|sum/i.test(path) ? [{ path, scale }] : [];
  });

/** Reads the number in a value, whatever its currency and grouping: `₦1,500.00` is 1500. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\D{0,4}\d[\d, ]*(\.\d+)?\D{0,4}$/.test(value)) return undefined;
  return Number(value.replaceAll(/[^\d.]/g, ""));
}

const BLOCKED = "pays nothing for a transfer that it blocks or rejects, at once or later";
const MUST_BLOCK = { must: ["R011", "R019", "R086"], pays: 1, scope: "blocked-transfer" } as const;
check("blocked-is-not-paid", BLOCKED, MUST_BLOCK, async (ctx) => {
  const body = ctx.need("BLOCKED_TRANSFER");
  const book = await needBook(ctx);
  const draft = ctx.draft(ID, { body });
  const response = await ctx.send(ID, {}, { draft });
  const { reference } = draft;
  const isRejected = response.carriedOut === "no";
  const read = async () => {
    const { sets } = await book.of(reference);
    return sets.flatMap(({ status, number }) => (number > 0 ? [status] : []));
  };
  // The last look of the run comes back to every rejected transfer.
  const isOver = (found: readonly TransferStatus[]) =>
    !found.some(isPaid) && (isRejected || found.some(isUnpaid));
  const found = await ctx.run.settling.until(read, isOver);
  const shown = found.join(" and as ") || "none";
  const paid = found.filter(isPaid);
  if (isRejected && paid.length > 0) ctx.run.stopPaying(reference, ctx.info.id);
  const contradicts = isRejected || found.some(isUnpaid);
  const actual = `${response.outcome} and lists the transfer as ${shown}`;
  demand(!contradicts || paid.length === 0, response, actual, "no payout for a blocked transfer");
  if (!contradicts)
    undecided(
      `${actual}, so it was not blocked: set BLOCKED_TRANSFER to a transfer that this deployment blocks or rejects within SETTLE_SECONDS`,
    );
  ctx.observe("N11", `a blocked transfer ${response.fate}, and is listed as ${shown}`);

  // The retry must be blocked as well: that its reference is known makes the recipient no better.
  const retry = await ctx.send(ID, {}, { draft, repeats: [response] });
  if (!retry.isSuccess) return;
  await ctx.run.settling.pause();
  const later = await ctx.run.settling.until(read, isOver);
  const isSent = later.some(isPaid);
  if (isSent) ctx.run.stopPaying(reference, ctx.info.id);
  const pays = `${retry.outcome} to the retry of a blocked transfer, and lists it as ${later.join(" and as ")}`;
  demand(!isSent, retry, pays, "no payout for a blocked transfer, however often it is sent", [response]);
});

const isUnpaid = (status: TransferStatus) => !isPaid(status) && status !== "Unverified";
