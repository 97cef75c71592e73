import { isObject } from "../../../fixtures/engine/http/body.ts";
import { Inconclusive, ifDecided, NotTested, Violation } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { sendUntriedValues, sendValuesSeparately } from "../../../fixtures/engine/judge/varied.ts";
import { needBook, settleAll, UNVERIFIED } from "../../../fixtures/engine/lists/book.ts";
import { readWhole } from "../../../fixtures/engine/lists/list.ts";
import { type Basis, check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf, requireControl } from "../../../fixtures/engine/run/control.ts";
import { contract, type OperationId, operations, successSchema } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { responseTo } from "../authentication/credentials.ts";
import { invalidRequests, responseToDefect } from "../statuses-and-bodies/requests.ts";
import { agrees, fieldsSent, membersNamed } from "../values/shown-values.ts";
import { leaveNothing, TRANSFERS_LEAVE_NOTHING } from "./final-looks.ts";
import { findMade, listedRecords, listFilledBy, type Shown, showsRecords } from "./find-made.ts";

// A value comes back as it was sent, where a response or a list shows it under the same name.
for (const { id, noun, effect, free } of operations) {
  if (effect === "read" || !free || !showsRecords(id)) continue;
  const title = `shows the values of ${noun} as they were sent, wherever it shows them`;
  check(`${id}/values/echoed`, title, { critical: "practice" }, async (ctx) => {
    const control = await requireControl(ctx, id);
    const mayProbe = effect === "update" || ctx.target.allow.probeWrites;
    if (mayProbe) await sendUntriedValues(ctx, id);
    // An optional field alone may mean nothing.
    const varied = ctx.run.varied.filter(({ operation, set }) => operation === id && !set.isAlone);
    const rejected = varied.filter(({ plain }) => mayProbe && plain?.isSuccess);
    const apart = (await Promise.all(rejected.map((one) => sendValuesSeparately(ctx, one)))).flat();
    const accepted = [...varied, ...apart].filter(({ response }) => response.isSuccess);
    let compared = 0;
    for (const response of [control, ...accepted.map((one) => one.response)])
      compared += expectShownAsSent(ctx, response, await listedRecords(ctx, response));
    if (compared === 0)
      throw new NotTested(
        "not-applicable",
        "no response or list shows a value under the name that it was sent under",
      );
  });
}

/** Compares what was sent with every record that shows it; returns how many values could be compared. */
function expectShownAsSent(ctx: CheckContext, response: ApiResponse, listed: readonly Shown[]): number {
  const { operation } = response;
  const own = isObject(response.json) ? [{ list: response, record: response.json }] : [];
  const sent = Object.entries(fieldsSent(response)).filter(
    ([field, value]) => isComparable(operation, field) && isOnlyValue(ctx, response, field, value),
  );
  let compared = 0;
  for (const { list, record } of [...own, ...listed]) {
    for (const [field, value] of sent) {
      const [shown, second] = membersNamed(record, field);
      const agree = shown && !second ? agreesWithFees(response, field, value, shown.value) : undefined;
      if (agree === undefined) continue;
      ctx.note(response);
      ctx.note(list);
      const actual = `shows ${field} as ${JSON.stringify(shown?.value)} after ${JSON.stringify(value)} was sent`;
      if (!agree) ctx.observe("N15", actual, { alarming: true });
      expectThat(agree, list, actual, "the value that was sent");
      compared += 1;
    }
  }
  return compared;
}

/** Whether no other request with the same reference had another value: each attempt may be listed. */
function isOnlyValue({ run }: CheckContext, response: ApiResponse, field: string, value: unknown): boolean {
  const reference = run.builder.referenceIn(response.textSent);
  if (reference === undefined) return true;
  const others = run.naming(response.operation.id as OperationId, reference);
  return others.every((one) => JSON.stringify(fieldsSent(one)[field]) === JSON.stringify(value));
}

/** As {@link agrees}; the amount of a payment may be shown with its fees. */
function agreesWithFees(
  response: ApiResponse,
  field: string,
  value: unknown,
  shown: unknown,
): boolean | undefined {
  const { fees } = fieldsSent(response);
  const withFees = Number(value) + Number(fees);
  const isTotal =
    field === response.operation.stake?.field && agrees(Math.round(withFees * 100) / 100, shown);
  return isTotal || agrees(value, shown);
}

/** A documented member of the response has a meaning of its own, and a bank may know an account under another name. */
function isComparable(operation: Operation, field: string): boolean {
  const documented = Object.keys(Object(successSchema(operation)).shape ?? {});
  const isOfBank = /name$/i.test(field) && !(operation.free && field in operation.free);
  return !documented.includes(field) && !isOfBank && field !== "isLive" && field !== "isActive";
}

// A rejection is only half the proof: a rejected request must not have created anything.
for (const { id, noun, effect, foundBy, takes } of operations) {
  if (!foundBy) continue;
  const keyless = `creates nothing when it refuses ${noun} without a valid key`;
  check(`${id}/auth/leaves-nothing`, keyless, { must: ["R003"] }, async (ctx) => {
    await responseTo(ctx, id, "no-header", { authorization: null });
    await judge(ctx, id, (response) => !response.isSentWith(ctx.target.secretKey));
  });

  const { id: name, title } = leaveNothing(id);
  const basis: Basis = effect === "money" ? TRANSFERS_LEAVE_NOTHING : { critical: "practice" };
  check(name, title, basis, async (ctx) => {
    const late = ctx.target.allow.probeWrites ? (takes?.late ?? []) : [];
    const invalid = [...invalidRequests(contract[id]), ...late];
    await Promise.all(invalid.map((defect) => responseToDefect(ctx, id, defect)));
    await judge(ctx, id, (response) => response.isSentWith(ctx.target.secretKey));
  });
}

/** Looks up what the rejected requests of the run that `isMeant` selects would have created. */
async function judge(ctx: CheckContext, id: OperationId, isMeant: (response: ApiResponse) => boolean) {
  const { notTested } = await controlOf(ctx, id);
  if (notTested) throw notTested;
  const rejected = alwaysRejected(ctx, id).filter(({ response }) => isMeant(response));
  if (rejected.length === 0) throw new Inconclusive("no request with a reference of its own was rejected");
  await settleAll(ctx);
  const { effect, fresh, foundBy }: Operation = contract[id];
  const isMade = async (reference: string) =>
    effect === "money" ? isPaid(ctx, reference) : (await findMade(ctx, id, reference)).isShown;
  if (await isMade(ctx.run.builder.fresh(fresh)))
    throw new Inconclusive(
      `for a reference that was never sent, ${foundBy?.shows} too, so this proves nothing`,
    );
  for (const { response, reference } of await perhapsListed(ctx, id, rejected)) {
    if (!(await isMade(reference))) continue;
    ctx.note(response);
    const actual = `${response.outcome}, but ${foundBy?.shows} afterwards`;
    throw new Violation(response, actual, "no trace of a rejected request");
  }
}

/** A request of the run, by the reference, link or code that it has. */
interface Sent {
  readonly response: ApiResponse;
  readonly reference: string;
}

/** The requests of the run with a reference of their own; the list or the link check may reject others for their form. */
const withReference = ({ run }: CheckContext, id: OperationId): Sent[] =>
  run.responsesTo(id).flatMap((response) => {
    const reference = run.builder.referenceIn(response.textSent);
    const isUsual = reference !== undefined && run.builder.isInUsualForm(reference);
    return isUsual ? [{ response, reference }] : [];
  });

/** The requests of the run whose reference was rejected every time it was sent, each with one of its rejections. */
function alwaysRejected(ctx: CheckContext, id: OperationId): Sent[] {
  const isCertain = ({ response, reference }: Sent) =>
    response.complete && ctx.run.naming(id, reference).every(({ carriedOut }) => carriedOut === "no");
  const certain = withReference(ctx, id).filter(isCertain);
  return [...new Map(certain.map((one) => [one.reference, one])).values()];
}

/** A list is read whole if that takes this many times fewer requests than to ask it for each reference. */
const FEWER = 4;

/**
 * The rejected requests that may have left a record: those whose reference the whole list shows. These are all of them if
 * no list shows such records, if it is long, or if it lacks one that the run made, since it may then lack others too.
 */
async function perhapsListed(ctx: CheckContext, id: OperationId, rejected: Sent[]): Promise<Sent[]> {
  const made = withReference(ctx, id).filter(
    ({ response }) => response.isSuccess && response.isSentWith(ctx.target.secretKey),
  );
  const list = listFilledBy(id);
  const pages = list && (await ifDecided(readWhole(ctx, list.id, rejected.length / FEWER)));
  if (!pages || made.length === 0) return rejected;
  const text = pages.map(({ response }) => response.text.toLowerCase()).join("\n");
  const isShown = ({ reference }: Sent) => text.includes(reference.toLowerCase());
  if (!made.every(isShown)) return rejected;
  for (const one of rejected) if (!isShown(one)) ctx.run.unpaid.add(one.reference);
  return rejected.filter(isShown);
}

async function isPaid(ctx: CheckContext, reference: string): Promise<boolean> {
  const found = await (await needBook(ctx)).ofRejected(reference);
  if (!found) return false;
  const { paid, unverified, unknown } = found;
  if (unverified + unknown > 0) ctx.observe("N11", UNVERIFIED, { alarming: true });
  return paid > 0;
}
