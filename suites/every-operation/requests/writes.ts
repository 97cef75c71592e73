import type { VariableName } from "../../../fixtures/engine/config/variables.ts";
import type { Rules } from "../../../fixtures/engine/run/check.ts";
import {
  type ApiResponse,
  type CheckContext,
  type CheckOptions,
  check,
  demand,
  demandOptionalFields,
  demandRejected,
  membersOf,
  violationIn,
} from "../../../fixtures/engine/vocabulary.ts";
import { listed } from "../../../reports/wording.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { OpenItemId } from "../../../schemas/open-items.ts";
import { fieldDefect, type Operation } from "../../../schemas/operation.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";
import { responseToDefect } from "../requests.ts";

const NO_AMOUNT = fieldDefect("amount", undefined);

/** Registers a check of the rejection of a payment whose status codes are undocumented, and records these. */
export function statusCodes(id: OperationId, item: OpenItemId, rules: Rules) {
  const { noun, success }: Operation = contract[id];
  const { has = "" } = success;

  // Clients would take a rejection with an identifier for a success.
  const without = `returns no ${has} when it refuses ${noun}`;
  check(`${id}/refusal-without-identifier`, without, { should: rules }, async (ctx) => {
    const { response: control, accepted } = await ctx.control(id);
    if (control && accepted) ctx.observe(item, `an accepted request returns ${control.status}`);
    const response = await responseToDefect(ctx, id, NO_AMOUNT);
    if (!response.failure) ctx.observe(item, `a request without amount returns ${response.status}`);
    const isWrong = response.identifier !== undefined && (await isRejection(ctx, response));
    demand(!isWrong, response, `${response.outcome} with ${has}`, "a rejection without an identifier");
  });
}

/** Whether a payment without amount was rejected, recorded or not; other checks judge a payment that was carried out. */
async function isRejection(ctx: CheckContext, response: ApiResponse): Promise<boolean> {
  if (response.statusClass !== 2) return true;
  return (await violationIn(() => demandRejected(ctx, response, NO_AMOUNT))) === undefined;
}

/** Registers that every optional field is taken; `needed` names the variables that some of them need. */
export function takesOptionalFields(
  id: OperationId,
  must: readonly RequirementId[],
  ...needed: readonly VariableName[]
) {
  const { noun, effect, optional }: Operation = contract[id];
  const isPaid = effect === "money";
  const fields = isPaid ? listed(Object.keys(optional ?? {})) : "every optional field";
  const options: CheckOptions = { must, ...(isPaid && { pays: 1 }) };
  check(`${id}/optional-fields`, `accepts ${noun} with ${fields}`, options, (ctx) => {
    for (const variable of needed) ctx.need(variable);
    return demandOptionalFields(ctx, id);
  });
}

/** Registers an observation of the members of a field of the ordinary response. */
export function observesMembers(
  id: OperationId,
  name: string,
  item: OpenItemId,
  field: string,
  what = field,
) {
  check(`${id}/${name}`, `members of ${what}`, { observe: item }, async (ctx) => {
    const response = await ctx.ordinary(id);
    ctx.observe(item, `${what} is ${membersOf(response.field(field))}`);
  });
}
