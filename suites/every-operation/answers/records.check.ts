import { isObject } from "../../../fixtures/engine/http/body.ts";
import { Inconclusive, ifDecided, NotTested, Violation } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import {
  inWords,
  isField,
  reduce,
  rejectedRows,
  sendOtherRows,
  sendPart,
} from "../../../fixtures/engine/judge/rows.ts";
import { needBook, settleAll, UNVERIFIED } from "../../../fixtures/engine/lists/book.ts";
import { readWhole } from "../../../fixtures/engine/lists/list.ts";
import { type CheckOptions, checksIn } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf, requireControl } from "../../../fixtures/engine/run/control.ts";
import type { Choice, Varied } from "../../../fixtures/engine/run/run.ts";
import { contract, documentedMembers, type OperationId, operations } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { responseTo } from "../authentication/credentials.ts";
import { invalidRequests, responsesToDefects } from "../requests/requests.ts";
import { agrees, fieldsSent, membersNamed, unitOf } from "../values/shown-values.ts";
import {
  findMade,
  foundByReference,
  listedRecords,
  listFilledBy,
  type Shown,
  showsRecords,
} from "./find-made.ts";
import { expectNonePaid, notLookedUp } from "./rejected-transfers.ts";

const check = checksIn("late");

// A value comes back as it was sent, where a response or a list shows it under the same name.
for (const { id, noun, effect, free } of operations) {
  if (effect === "read" || !free || !showsRecords(id)) continue;
  const title = `shows the values of ${noun} as they were sent, wherever it shows them`;
  check(`${id}/values/echoed`, title, { critical: "practice" }, async (ctx) => {
    const control = await requireControl(ctx, id);
    const mayProbe = effect === "update" || ctx.target.allow.probeWrites;
    if (mayProbe) {
      await sendOtherRows(ctx, id);
      await rejectedRows(ctx, id);
    }
    const ordinary = [
      control.text,
      ...(await listedRecords(ctx, control)).map(({ record }) => JSON.stringify(record)),
    ];
    const shown: ShownBefore = { units: new Map(), fields: new Set(), ordinary: ordinary.join() };
    const compare = async (response: ApiResponse) =>
      expectShownAsSent(ctx, response, await listedRecords(ctx, response), shown);
    let compared = await compare(control);
    const accepted = ctx.run.varied.filter(
      ({ operation, response }) => operation === id && response.isSuccess,
    );
    for (const one of accepted)
      compared += await compare(one.response).catch(async (error) => {
        throw mayProbe ? await blame(ctx, one, error, compare) : error;
      });
    const found = mayProbe ? await foundByReference(ctx, control) : undefined;
    const isFound = found?.some === true && found.only;
    if (mayProbe) for (const one of accepted) await expectNothingLost(ctx, one, shown, isFound);
    if (compared === 0)
      throw new NotTested(
        "not-applicable",
        "no response or list shows a value under the name that it was sent under",
      );
  });
}

/** Finds what a request that comes back altered takes, if it takes more than the value itself. */
async function blame(
  ctx: CheckContext,
  row: Varied,
  error: unknown,
  compare: (response: ApiResponse) => Promise<number>,
): Promise<unknown> {
  if (!(error instanceof Violation)) return error;
  let found = error;
  const least = await reduce(ctx, row, async ({ response }) => {
    if (!response.isSuccess) return false;
    try {
      await compare(response);
      return false;
    } catch (again) {
      if (again instanceof Violation) found = again;
      return again instanceof Violation;
    }
  });
  if (!least) return error;
  return new Violation(found.response, `${found.actual} (with ${inWords(least.row)})`, found.expected, [
    least.response,
  ]);
}

/** A way to send a request, and the form of its reference, decide nothing about a record. */
const isOnlyForm = (choice: Choice) => !isField(choice) || choice.kind === "fresh";

/**
 * Demands that no way to send a request, and no form of its reference, loses the record, or a field that a list shows for
 * other requests. With `isFound`, the list finds the ordinary record by its reference.
 */
async function expectNothingLost(
  ctx: CheckContext,
  whole: Varied,
  { fields }: ShownBefore,
  isFound: boolean,
) {
  const isLookedUp = isFound && whole.row.some((choice) => isField(choice) && choice.kind === "fresh");
  const lostOf = async (response: ApiResponse) => {
    if (!response.isSuccess) return undefined;
    if (isLookedUp && (await foundByReference(ctx, response))?.some === false)
      return "record under its reference";
    const listed = await listedRecords(ctx, response);
    const sent = Object.entries(fieldsSent(response)).filter(([, value]) => value !== "" && value !== null);
    return sent
      .map(([field]) => field)
      .find((field) => {
        const places = listed.filter(({ list }) => fields.has(placeOf(list, field)));
        return places.length > 0 && places.every(({ record }) => membersNamed(record, field).length === 0);
      });
  };
  if (!whole.row.some(isOnlyForm) || !(await lostOf(whole.response))) return;
  const least = await reduce(ctx, whole, async ({ response }) => (await lostOf(response)) !== undefined);
  if (!least?.row.some(isOnlyForm)) return;
  const usual = await sendPart(
    ctx,
    whole.operation,
    least.row.filter((choice) => !isOnlyForm(choice)),
  );
  if (!usual.response.isSuccess || (await lostOf(usual.response))) return;
  const actual = `${least.response.outcome} with ${inWords(least.row)}, but shows no ${await lostOf(least.response)} afterwards`;
  expectThat(false, least.response, actual, "everything that was sent", [usual.response]);
}

/** What the responses and lists have shown so far. */
interface ShownBefore {
  /** In which unit a place shows amounts, as a multiple of the unit in which they are sent. */
  readonly units: Map<string, number>;
  readonly fields: Set<string>;
  /** What shows the ordinary request, in words of the API's own. */
  readonly ordinary: string;
}

const placeOf = (list: ApiResponse, field: string) => `${list.operation.id} ${field}`;

/** What is left of a sign that was not decoded, or that was escaped for a page; a text may be shown under any name. */
const DAMAGE = /\ufffd|&(?:amp|quot|lt|gt|apos|#x?[\da-f]+);/i;

/** Compares what was sent with every record that shows it; returns how many values could be compared. */
function expectShownAsSent(
  ctx: CheckContext,
  response: ApiResponse,
  listed: readonly Shown[],
  before: ShownBefore,
): number {
  const { operation } = response;
  // What stands beside documented data is about the request: `code` is that of the response.
  const record = documentedMembers(operation).includes("data") ? response.field("data") : response.json;
  const own = isObject(record) ? [{ list: response, record }] : [];
  const sent = Object.entries(fieldsSent(response)).filter(
    ([field, value]) => isComparable(operation, field) && isOnlyValue(ctx, response, field, value),
  );
  let compared = 0;
  for (const { list, record } of [...own, ...listed]) {
    const damage = DAMAGE.exec(JSON.stringify(record))?.[0];
    const isDamaged = damage !== undefined && !`${response.textSent} ${before.ordinary}`.includes(damage);
    expectThat(
      !isDamaged,
      list,
      `shows ${damage} in a text that was sent without`,
      "the text that was sent",
      [response],
    );
    for (const [field, value] of sent) {
      const [shown, second] = membersNamed(record, field);
      const agree = second ? undefined : isAsSent(before.units, response, list, field, value, shown?.value);
      if (agree === undefined) continue;
      before.fields.add(placeOf(list, field));
      ctx.note(response);
      ctx.note(list);
      const actual = `shows ${field} as ${JSON.stringify(shown?.value)} after ${JSON.stringify(value)} was sent`;
      expectThat(agree, list, actual, "the value that was sent");
      compared += 1;
    }
  }
  return compared;
}

/** As {@link agreesWithFees}; an amount also has the unit in which the same place showed the first one. */
function isAsSent(
  units: ShownBefore["units"],
  response: ApiResponse,
  list: ApiResponse,
  field: string,
  value: unknown,
  shown: unknown,
): boolean | undefined {
  const agree = agreesWithFees(response, field, value, shown);
  const isAmount = agree && field === response.operation.stake?.field;
  const unit = isAmount ? unitOf(Number(value), Number(shown)) : undefined;
  if (unit === undefined) return agree;
  const known = units.get(list.operation.id) ?? unit;
  units.set(list.operation.id, known);
  return unit === known;
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
  const documented = documentedMembers(operation);
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

  const options: CheckOptions =
    effect === "money"
      ? {
          must: ["R083", "R086"],
          always: (run) => (notLookedUp(run).size > 0 ? expectNonePaid : undefined),
        }
      : { critical: "practice" };
  const title = `creates nothing when it refuses ${noun} as invalid`;
  check(`${id}/rejections/leave-nothing`, title, options, async (ctx) => {
    const late = ctx.target.allow.probeWrites ? (takes?.late ?? []) : [];
    const invalid = [...invalidRequests(contract[id]), ...late];
    await responsesToDefects(ctx, id, invalid);
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
