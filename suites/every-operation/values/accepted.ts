import {
  acceptedRows,
  inWords,
  isField,
  type Rejected,
  sendPart,
  valuesIn,
  waysIn,
} from "../../../fixtures/engine/judge/rows.ts";
import type { Choice } from "../../../fixtures/engine/run/run.ts";
import { type ApiResponse, type CheckContext, isObject } from "../../../fixtures/engine/vocabulary.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { FieldChoice } from "../../../schemas/values.ts";

/** Demands that no valid request breaks anything; a value rule may reject it, and something in front of the service a header. */
export async function judgeRejected(
  ctx: CheckContext,
  { whole, least: { operation, row, response } }: Rejected,
) {
  for (const one of [whole.plain, whole.response, response]) if (one) ctx.note(one);
  const accepted = acceptedRows(ctx, operation);
  const isAccepted = accepted.some((one) => row.every((choice) => one.row.includes(choice)));
  // Only if these very values were accepted in another row, they are not to blame.
  const lacking = isAccepted ? " alone" : "";
  const actual = `${response.outcome} with ${inWords(row)}${lacking}, and accepts the ordinary request`;
  const fields = row.filter(isField);
  const beside = { response, others: whole.plain ? [whole.plain] : [] };
  ctx.observe(fields.length > 0 ? "N40" : "G08", actual);
  if (response.kind === "crashed" || (await isForTheWay(ctx, row, response)))
    return ctx.warn(actual, { ...beside, critical: true });
  const [field] = fields;
  // About a boolean nothing but its type can be wrong, if it does not need another field.
  if (!isAccepted && field?.kind === "boolean" && row.length === 1) {
    const others = accepted.map((one) => valuesIn(one.row));
    const body = Object.assign({}, ctx.run.builder.optional(operation), ...others, valuesIn(row));
    const filled = await ctx.send(operation, { body }, { retry: false, mayBeBusy: true });
    if (filled.statusClass === 4) ctx.warn(actual, { response, others: [...beside.others, filled] });
  }
  if (field && row.length === 1 && response.statusClass === 4)
    await expectAcceptedBetween(ctx, operation, field);
}

/**
 * Whether a request is rejected for the way in which it is sent, since it is accepted in the ordinary way: every reader of
 * JSON and HTTP takes what is only written otherwise. Something in front of the service may have a rule about a header
 * alone, but then it does not say that the request is wrong.
 */
async function isForTheWay(
  ctx: CheckContext,
  row: readonly Choice[],
  response: ApiResponse,
): Promise<boolean> {
  const ways = waysIn(row);
  if (ways.length === 0 || response.kind !== "rejected") return false;
  if (!saysWrong(response) && ways.every((way) => way.mayBeRefused)) return false;
  const fields = row.filter(isField);
  // The ordinary request is accepted, or the row would not be judged.
  return fields.length === 0 || (await sendPart(ctx, response.operationId, fields)).response.kind === "done";
}

/** Whether the service itself says that a request is wrong, or that it has no type that the request accepts. */
function saysWrong({ status = 0, asDocumented, namedFields, json }: ApiResponse): boolean {
  if (status === 406) return isObject(json);
  return [400, 404, 422, 500].includes(status) && (asDocumented || namedFields.length > 0);
}

/**
 * Demands that a value is accepted if those on either side of it are. It is sent again between them, since other requests
 * may have changed what it was compared with.
 */
async function expectAcceptedBetween(
  ctx: CheckContext,
  id: OperationId,
  { field, value, what, around }: FieldChoice,
) {
  const [before, after] = around;
  if (before === undefined) return;
  const sendValue = (other: unknown) =>
    ctx.send(id, { body: { [field]: other } }, { retry: false, mayBeBusy: true });
  const earlier = await sendValue(before);
  if (earlier.kind !== "done") return;
  const again = await sendValue(value);
  const later = await sendValue(after);
  const actual = `${again.outcome} for ${field} ${value} (${what}), but accepts ${before} and ${after}`;
  if (again.statusClass === 4 && again.kind === "rejected" && later.kind === "done")
    ctx.warn(actual, { response: again, others: [earlier, later], critical: true });
}
