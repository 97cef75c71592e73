import { type OperationId, operations } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";

/** Operations with a documented JSON body. */
export const jsonOperations: readonly (Operation & { readonly id: OperationId })[] = operations.filter(
  ({ contentType, body }) =>
    contentType === "application/json" && body !== undefined && Object.keys(body.shape).length > 0,
);

/** Whether the operation's body cannot be empty. */
export function hasRequiredField({ body }: Operation): boolean {
  return body !== undefined && !body.safeParse({}).success;
}
