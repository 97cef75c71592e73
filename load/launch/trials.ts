import { z } from "zod";
import { isOutOfScope } from "../../fixtures/engine/config/target.ts";
import { READS } from "../../fixtures/engine/health/outage.ts";
import type { Built } from "../../fixtures/engine/http/build.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import type { Change, Operation } from "../../schemas/operation.ts";
import { FRESH } from "../../schemas/recipe.ts";
import type { References } from "../k6/templates/reference.ts";
import { NAMES, type Step } from "../k6/traffic/workloads.ts";

/** A request that is sent before the load and, if it worked, once more after it; `stake` is what it may move. */
export const Trial = z.object({
  operation: z.enum(operations.map(({ id }) => id)),
  refusal: z.string().exactOptional(),
  names: z.enum(NAMES).exactOptional(),
  stake: z.number().exactOptional(),
});

export type Trial = z.infer<typeof Trial>;

export type When = "before" | "after";

/** What a request of a load asks for. */
type Asked = Pick<Step, "operation" | "refusal" | "names" | "creationsAgo">;

/** Lists the reads that need no data, each kind of request of a load, and operations to call `around` it, each once. */
export function trialsOf(
  { target }: Client,
  sent: readonly (Asked & { readonly stake?: number | undefined })[],
  around: readonly OperationId[],
): Trial[] {
  const reads = READS.filter(({ id }) => !isOutOfScope(target, id));
  const all = [...reads, ...around.map((id) => ({ id }))].map(({ id }): Trial => ({ operation: id }));
  for (const { operation, refusal, names, stake } of sent)
    all.push({
      operation,
      ...(refusal !== undefined && { refusal }),
      ...(names && { names }),
      ...(stake !== undefined && { stake }),
    });
  return [...new Map(all.map((trial) => [nameOf(trial), trial])).values()];
}

/** What a trial is called: its operation, and what is special about the request. */
export const nameOf = ({ operation, refusal, names }: Trial) =>
  [operation, refusal ?? names ?? []].flat().join(".");

/** Whether it is the ordinary transfer. */
export const isTransfer = ({ operation, refusal }: Trial) =>
  operation === "createTransfer" && refusal === undefined;

/** Whether it may be sent as often as one likes: it moves no money and creates nothing. */
export const isFree = ({ operation, refusal, stake }: Trial) =>
  stake === undefined && (refusal !== undefined || contract[operation].effect === "read");

/** What the ledger calls a trial that may move money. */
export function referenceOf(when: When, trial: Trial, { control, recovery, prefix }: References) {
  if (isTransfer(trial)) return when === "before" ? control : recovery;
  return `${prefix}${when}-${nameOf(trial)}`;
}

/** Sends the request of a trial. */
export function send(client: Client, trial: Trial, when: When, references: References): Promise<ApiResponse> {
  const { builder, target } = client;
  const { operation, refusal } = trial;
  // Each address may have only one open account.
  const [, secondEmail] = target.values.VIRTUAL_ACCOUNT_EMAILS ?? [];
  const opensAnother = operation === "initializeVirtualAccount" && refusal === undefined && when === "after";
  const draft = isTransfer(trial)
    ? builder.build(operation, { body: { transferReference: referenceOf(when, trial, references) } })
    : opensAnother && secondEmail
      ? builder.build(operation, { body: { email: secondEmail } })
      : buildStep(client, trial);
  return client.send(operation, draft, when === "after" ? "recovery" : when);
}

/** Whether the API did what a trial asks for; a request that it may reject must only be handled. */
export function works({ refusal, names }: Trial, answer: ApiResponse): boolean {
  const isRejected = answer.handling === "rejected" && !answer.isThrottled;
  if (refusal !== undefined) return isRejected;
  return answer.isSuccess || (names !== undefined && isRejected);
}

/** Builds the request of a step from the operator's data. */
export const buildStep = (client: Client, step: Asked): Built =>
  client.builder.build(step.operation, changeOf(step, client), { withheld: step.names === "unknown" });

/** What a load changes in the ordinary request of an operation. */
function changeOf({ operation, creationsAgo, refusal, names }: Asked, { builder, target }: Client): Change {
  const { bound }: Operation = contract[operation];
  const condition = bound?.find(({ id }) => id === refusal);
  if (condition) return condition.change;
  if (names === "taken") return { body: { customLink: target.values.EXISTING_CUSTOM_LINK } };
  if (operation === "listTransfers" && creationsAgo !== undefined)
    return { query: { transferReference: FRESH } };
  if (operation === "createTransfer" && builder.formOf("note", operation) !== "none")
    return { body: { transferNote: builder.note(operation) } };
  return {};
}
