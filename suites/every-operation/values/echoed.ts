import { inWords, isField, reduce, sendPart } from "../../../fixtures/engine/judge/rows.ts";
import type { Choice, Varied } from "../../../fixtures/engine/run/run.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  isObject,
  Violation,
  violationIn,
} from "../../../fixtures/engine/vocabulary.ts";
import { plural, shorten } from "../../../reports/wording.ts";
import { documentedMembers, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { foundByReference, listedRecords, type Shown } from "./find-made.ts";
import { agrees, fieldsSent, membersNamed, unitOf } from "./shown-values.ts";

/** Compares what a row sent, and returns how many values; says what one takes that comes back altered, if it `mayProbe`. */
export async function compareRow(
  ctx: CheckContext,
  row: Varied,
  mayProbe: boolean,
  compare: (response: ApiResponse) => Promise<number>,
): Promise<number> {
  let compared = 0;
  const altered = await violationIn(async () => {
    compared = await compare(row.response);
  });
  if (!altered) return compared;
  if (!mayProbe) throw altered;
  let found = altered;
  const least = await reduce(ctx, row, async ({ response }) => {
    const again = response.kind === "done" ? await violationIn(() => compare(response)) : undefined;
    found = again ?? found;
    return again !== undefined;
  });
  if (!least) throw altered;
  throw new Violation(found.response, `${found.actual} (with ${inWords(least.row)})`, found.expected, [
    least.response,
  ]);
}

/** A way to send a request, and the form of its reference, decide nothing about a record. */
const isOnlyForm = (choice: Choice) => !isField(choice) || choice.kind === "fresh";

/**
 * Demands that no way to send a request, and no form of its reference, loses the record, or a field that a list shows for
 * other requests. With `isFound`, the list finds the ordinary record by its reference.
 */
export async function expectNothingLost(
  ctx: CheckContext,
  whole: Varied,
  { fields }: ShownBefore,
  isFound: boolean,
) {
  const isLookedUp = isFound && whole.row.some((choice) => isField(choice) && choice.kind === "fresh");
  /** What should be shown of a record, and whether it is. */
  const shownOf = async (response: ApiResponse) => {
    const shown = new Map<string, boolean>();
    if (response.kind !== "done") return shown;
    const found = isLookedUp ? await foundByReference(ctx, response) : undefined;
    if (found) shown.set("record under its reference", found.some);
    const listed = await listedRecords(ctx, response);
    for (const [field, value] of Object.entries(fieldsSent(response))) {
      const places = listed.filter(({ list }) => fields.has(placeOf(list, field)));
      if (value === "" || value === null || places.length === 0) continue;
      shown.set(
        field,
        places.some(({ record }) => membersNamed(record, field).length > 0),
      );
    }
    return shown;
  };
  const lostOf = async (response: ApiResponse) =>
    [...(await shownOf(response))].find(([, isShown]) => !isShown)?.[0];
  if (!whole.row.some(isOnlyForm) || !(await lostOf(whole.response))) return;
  const least = await reduce(ctx, whole, async ({ response }) => (await lostOf(response)) !== undefined);
  if (!least?.row.some(isOnlyForm)) return;
  const usual = await sendPart(
    ctx,
    whole.operation,
    least.row.filter((choice) => !isOnlyForm(choice)),
  );
  const lost = await lostOf(least.response);
  if (lost === undefined || !(await shownOf(usual.response)).get(lost)) return;
  const actual = `${least.response.outcome} with ${inWords(least.row)}, but shows no ${lost} afterwards`;
  demand(false, least.response, actual, "everything that was sent", [usual.response]);
}

/** What the responses and lists have shown so far. */
export interface ShownBefore {
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
export function expectShownAsSent(
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
    ([field, value]) => isComparable(operation, field, value) && isOnlyValue(ctx, response, field, value),
  );
  // Half a character cannot be shown in UTF-8 at all.
  if (Object.values(fieldsSent(response)).some((value) => /\p{Cs}/u.test(String(value)))) return 0;
  let compared = 0;
  for (const { list, record } of [...own, ...listed]) {
    const damage = DAMAGE.exec(JSON.stringify(record))?.[0];
    const isDamaged = damage !== undefined && !`${response.textSent} ${before.ordinary}`.includes(damage);
    demand(!isDamaged, list, `shows ${damage} in a text that was sent without`, "the text that was sent", [
      response,
    ]);
    for (const [field, value] of sent) {
      const [shown, second] = membersNamed(record, field);
      const agree = second ? undefined : isAsSent(before.units, response, list, field, value, shown?.value);
      if (agree === undefined) continue;
      before.fields.add(placeOf(list, field));
      ctx.note(response);
      ctx.note(list);
      const actual = `shows ${field} as ${inShort(shown?.value)} after ${inShort(value)} was sent`;
      demand(agree, list, actual, "the value that was sent");
      compared += 1;
    }
  }
  return compared;
}

/** More of a text helps nobody to see where it was cut. */
const MOST_SHOWN = 200;

function inShort(value: unknown): string {
  const text = String(JSON.stringify(value));
  return text.length <= MOST_SHOWN
    ? text
    : `${shorten(text, MOST_SHOWN)} (${plural(text.length, "character")})`;
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

/**
 * A documented member of the response has a meaning of its own, a bank may know an account under another name, and what is
 * switched on may be inactive for another reason, but hardly the other way round.
 */
function isComparable(operation: Operation, field: string, value: unknown): boolean {
  const documented = documentedMembers(operation);
  const isOfBank = /name$/i.test(field) && !(operation.free && field in operation.free);
  return (
    !documented.includes(field) &&
    !isOfBank &&
    field !== "isLive" &&
    (field !== "isActive" || value === false)
  );
}
