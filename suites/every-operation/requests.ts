import type { Values, VariableName } from "../../fixtures/engine/config/variables.ts";
import { asNumber, type Built } from "../../fixtures/engine/http/build.ts";
import { missingVariables } from "../../fixtures/engine/http/findings.ts";
import { sendDefectOnce } from "../../fixtures/engine/judge/expect-rejected.ts";
import {
  type CheckContext,
  type CheckOptions,
  needAnswer,
  type SendOptions,
  skip,
} from "../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { Change, Defect, Operation } from "../../schemas/operation.ts";
import { rejectedRequests } from "../../schemas/probes.ts";

/** What a valid request in an unusual form may leave behind if a conformant target carries it out. */
export function consentToRepeat(id: OperationId, requests = 1): Pick<CheckOptions, "pays" | "probe"> {
  const { effect } = contract[id];
  return { ...(effect === "money" && { pays: requests }), ...(effect !== "read" && { probe: true }) };
}

/** Throws `NotTested` unless the operator allows odd values in the record that the operation changes. */
export function needExpendable(ctx: CheckContext, id: OperationId) {
  const name = (contract[id] as Operation).expendable as VariableName | undefined;
  if (name && ctx.values[name] !== true) throw missingVariables([name]);
}

/** The records of the operator's that odd values may change, where an operation has no others. */
const RECORDS = {
  addPageProducts: "PAGE_ID",
  addSplitSubaccount: "SPLIT_PAGE_ID",
  updateSubscription: "SUBSCRIPTION_ID",
} as const;

/** Throws `NotTested` unless the operator names the record that the operation changes, and allows odd values in it. */
export function needRecord(ctx: CheckContext, id: OperationId) {
  if (!(id in RECORDS)) return;
  ctx.need(RECORDS[id as keyof typeof RECORDS]);
  if ((contract[id] as Operation).expendable) needExpendable(ctx, id);
  else ctx.needProbeWrites();
}

/** A card value in the JSON type that this deployment takes; section 4.3 does not document it. */
export const cardField = ({ CARD_AS_NUMBERS }: Values, text: string) =>
  CARD_AS_NUMBERS ? asNumber(text) : text;

/** A valid request; if the data, the consent or the budget for it is missing, one with an empty body. */
export function harmless(ctx: CheckContext, id: OperationId, change: Change = {}): Built {
  const { effect } = contract[id];
  const isOverBudget = effect === "money" && ctx.run.ledger.full;
  const isMissing = (effect === "money" || effect === "create") && ctx.missing(id).length > 0;
  const withheld = isOverBudget || isMissing;
  const built = ctx.run.builder.build(id, change, { withheld });
  return withheld ? { ...built, body: {}, stake: undefined } : built;
}

/** An id that has the lowest 32 bits of an existing one; throws `NotTested` if that one needs more than 31 itself. */
export function wrappedId(id: unknown): number {
  const known = Number(id);
  if (Number.isSafeInteger(known) && known >= 0 && known < 2 ** 31) return known + 2 ** 32;
  skip("the id is no integer of up to 31 bits");
}

/** The response to a request with one defect, sent once per run, after the accepted control. */
export async function responseToDefect(
  ctx: CheckContext,
  id: OperationId,
  defect: Defect,
  { mayBeBusy }: Pick<SendOptions, "mayBeBusy"> = {},
) {
  await ctx.control(id);
  const response = await sendDefectOnce(ctx, id, defect);
  if (!mayBeBusy) needAnswer(response);
  return response;
}

/** The responses to requests with one defect each, also those of a busy target. */
export const responsesToDefects = (ctx: CheckContext, id: OperationId, defects: readonly Defect[]) =>
  Promise.all(defects.map((defect) => responseToDefect(ctx, id, defect, { mayBeBusy: true })));

/** Invalid requests that show how an operation rejects: bound conditions, if all others are among them. */
export function invalidRequests(operation: Operation): readonly Defect[] {
  const rejected = rejectedRequests(operation);
  return rejected.length > 0 ? rejected : operation.bound;
}
