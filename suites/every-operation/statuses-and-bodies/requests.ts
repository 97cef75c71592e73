import type { VariableName } from "../../../fixtures/engine/config/variables.ts";
import type { Built } from "../../../fixtures/engine/http/build.ts";
import { missingVariables } from "../../../fixtures/engine/http/findings.ts";
import { sendDefectOnce } from "../../../fixtures/engine/judge/expect-rejected.ts";
import type { CheckOptions } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf } from "../../../fixtures/engine/run/control.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import type { Change, Defect, Operation } from "../../../schemas/operation.ts";
import { rejectedRequests } from "../../../schemas/probes.ts";

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

/** A valid request; if the data, the consent or the budget for it is missing, one with an empty body. */
export function harmless(ctx: CheckContext, id: OperationId, change: Change = {}): Built {
  const { effect } = contract[id];
  const isOverBudget = effect === "money" && ctx.run.ledger.full;
  const isMissing = (effect === "money" || effect === "create") && ctx.missing(id).length > 0;
  const withheld = isOverBudget || isMissing;
  const built = ctx.run.builder.build(id, change, { withheld });
  return withheld ? { ...built, body: {}, stake: undefined } : built;
}

/** The response to a request with one defect, sent once per run, after the accepted control. */
export async function responseToDefect(ctx: CheckContext, id: OperationId, defect: Defect) {
  await controlOf(ctx, id);
  return sendDefectOnce(ctx, id, defect);
}

/** Invalid requests that show how an operation rejects: bound conditions, if all others are among them. */
export function invalidRequests(operation: Operation): readonly Defect[] {
  const rejected = rejectedRequests(operation);
  return rejected.length > 0 ? rejected : operation.bound;
}

/** Operations with a documented JSON body. */
export const jsonOperations: readonly (Operation & { readonly id: OperationId })[] = operations.filter(
  ({ contentType, body }) =>
    contentType === "application/json" && body !== undefined && Object.keys(body.shape).length > 0,
);

/** Whether the operation's body cannot be empty. */
export function hasRequiredField({ body }: Operation): boolean {
  return body !== undefined && !body.safeParse({}).success;
}
