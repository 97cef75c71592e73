import type { z } from "zod";
import { isUndocumented } from "./bodies.ts";
import { errorSchemas, listedStatuses, type Operation } from "./operation.ts";
import * as customers from "./operations/customers.ts";
import * as discountCodes from "./operations/discount-codes.ts";
import * as disputes from "./operations/disputes.ts";
import * as pages from "./operations/pages.ts";
import * as subscriptions from "./operations/subscriptions.ts";
import * as transactions from "./operations/transactions.ts";
import { createTransfer, listRecipients, listTransfers } from "./operations/transfers.ts";
import { type RequirementId, requirements } from "./requirements.ts";

const declared = {
  ...customers,
  ...discountCodes,
  ...disputes,
  ...pages,
  ...subscriptions,
  ...transactions,
  createTransfer,
  listRecipients,
  listTransfers,
} as const;

export type OperationId = keyof typeof declared;
export type Contract = { readonly [I in OperationId]: (typeof declared)[I] & { readonly id: I } };

/** The 20 operations of section 4; the name of a declaration is the id of the operation. Everything else is derived from them. */
export const contract = Object.fromEntries(
  Object.entries(declared).map(([id, operation]) => [id, { id, ...operation }]),
) as unknown as Contract;

/** The operations in the order of section 4. */
export const operations: readonly (Operation & { readonly id: OperationId })[] = Object.values(
  contract,
).toSorted((one, other) => placeOf(one) - placeOf(other));

function placeOf({ section }: Operation): number {
  return Number(section.slice("4.".length));
}

/** Whether the specification shows what the operation is asked with, or that it needs no body. */
export const documentsRequest = ({ body }: Operation) => !body || Object.keys(body.shape).length > 0;

/** Operations with a documented JSON body. */
export const jsonOperations = operations.filter(
  (one) => one.contentType === "application/json" && one.body && documentsRequest(one),
);

type Part<I extends OperationId, P extends "path" | "query" | "body"> = Contract[I] extends {
  readonly [K in P]: infer S extends z.ZodType;
}
  ? { readonly [K in P]: z.infer<S> }
  : { readonly [K in P]?: never };

/** The documented request of an operation: its path, query and body parameters. */
export type RequestOf<I extends OperationId> = Part<I, "path"> & Part<I, "query"> & Part<I, "body">;

type Responses<I extends OperationId> = Contract[I]["responses"];

/** The documented body of an operation's success. */
export type SuccessOf<I extends OperationId> = Responses<I>[keyof Responses<I> &
  ("any" | 200 | 201)] extends infer S extends z.ZodType
  ? z.infer<S>
  : never;

export function successSchema({ id, success: { status }, responses }: Operation): z.ZodType {
  const schema = responses[status === "2xx" ? "any" : status];
  if (!schema) throw new Error(`${id} declares no body for its success`);
  return schema;
}

/** The members of a success that the specification names. */
export const documentedMembers = (operation: Operation): string[] =>
  Object.keys(Object(successSchema(operation)).shape ?? {});

/** Whether the specification shows the body of the operation's success. */
export const documentsSuccess = (operation: Operation) => !isUndocumented(successSchema(operation));

/** Whether the specification shows the body of one of the operation's rejections. */
export const documentsRejection = (operation: Operation) =>
  errorSchemas(operation).some((schema) => !isUndocumented(schema));

/** The requirement about the operation's success body, or about its path if section 4 shows no body. */
export function successRequirement({ id, section, requirements: { success } }: Operation): RequirementId {
  // Each part of section 4 describes the request first and the success body after it.
  const found = success.findLast((one) => requirements[one].section.split(", ").includes(section));
  if (!found) throw new Error(`no requirement of section ${section} is proved by a success of ${id}`);
  return found;
}

/** The requirement about the status of a success: the table of section 7 does not name every operation. */
export const statusRequirement = (operation: Operation): RequirementId =>
  listedStatuses(operation) ? "R111" : successRequirement(operation);

/** The requirements about the body and the status of a success. */
export function successBodyRequirements(operation: Operation): RequirementId[] {
  const own: RequirementId[] = [successRequirement(operation), "R024", "R111"];
  return operation.requirements.success.filter((one) => own.includes(one));
}

/** The operation that creates the items of a list, or adds them to it, if there is one. */
export const fillerOf = (list: OperationId): OperationId | undefined =>
  operations.find(({ foundBy, shownBy }) => foundBy?.read === list || shownBy === list)?.id;

/**
 * One operation of each group whose paths differ in their ends alone, a write if there is any. They are usually routed
 * together, so what one of them does with a header, the others do.
 */
export const routedApart = <O extends Operation>(some: readonly O[]): O[] =>
  some.filter((one) => {
    const alike = some.filter((other) => folderOf(other) === folderOf(one));
    return one === (alike.find(({ effect }) => effect !== "read") ?? alike[0]);
  });

const folderOf = ({ route }: Operation) => route.slice(0, route.lastIndexOf("/"));
