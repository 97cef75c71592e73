import type { Bench } from "../../fixtures/bench.ts";
import type { Built } from "../../fixtures/build.ts";
import type { CheckOptions } from "../../fixtures/test.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import type { Change, Operation } from "../../schemas/operation.ts";

type Declared = Operation & { readonly id: OperationId };

/** Operations with a JSON body that the specification shows. */
export const jsonOperations: readonly Declared[] = operations.filter(
  ({ contentType, body }) =>
    contentType === "application/json" && body !== undefined && Object.keys(body.shape).length > 0,
);

/** Whether the operation's body cannot be empty. */
export function hasRequiredField({ body }: Operation): boolean {
  return body !== undefined && !body.safeParse({}).success;
}

/** A valid request; without the data, the consent or the budget that it needs, one whose body is empty. */
export function harmless(bench: Bench, id: OperationId, change: Change = {}): Built {
  const { effect } = contract[id];
  const withheld =
    (effect === "money" && bench.run.ledger.full) ||
    ((effect === "money" || effect === "create") && bench.lacks(id).length > 0);
  const built = bench.run.builder.build(id, change, { withheld });
  return withheld ? { ...built, body: {}, stake: undefined } : built;
}

/** What requests that a conformant target may carry out can leave behind, and by which consent they are sent. */
export function stakeOf(id: OperationId, requests = 1): Pick<CheckOptions, "pays" | "probe"> {
  const { effect } = contract[id];
  return { ...(effect === "money" && { pays: requests }), ...(effect !== "read" && { probe: true }) };
}

/** What a conformant target may carry out again needs the operator's word; reads do not. */
export function needWrites(bench: Bench, id: OperationId) {
  if (contract[id].effect !== "read") bench.needProbeWrites();
}
