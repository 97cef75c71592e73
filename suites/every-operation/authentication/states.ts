import {
  type ApiResponse,
  type CheckContext,
  ifDecided,
  listOf,
} from "../../../fixtures/engine/vocabulary.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { Change, Operation } from "../../../schemas/operation.ts";

/** The operation's requests that differ from the ordinary one in what they meet, each with a sentence about it. */
export async function otherStates(
  ctx: CheckContext,
  operation: Operation & { readonly id: OperationId },
): Promise<(readonly [what: string, change: Change])[]> {
  const { id, takes, list } = operation;
  const optional = ctx.run.builder.optional(id);
  const states: [string, Change][] = [];
  if (Object.keys(optional).length > 0) states.push(["it has every optional field", { body: optional }]);
  if (takes) {
    const { field } = takes;
    const value = await takenBy(ctx, id, field);
    if (value !== undefined) states.push([`a record has its ${field}`, { body: { [field]: value } }]);
  }
  const [known] = list ? ((await ifDecided(listOf(ctx, id).filters())) ?? []) : [];
  if (known) states.push(["its filter finds something", { query: known.filter }]);
  return states;
}

/**
 * The value of a field that an accepted request like the ordinary one has taken. Of a payment that shows what a single one
 * looks like, not even a request without a key may have the reference.
 */
async function takenBy(ctx: CheckContext, id: OperationId, field: string) {
  const { response: control } = await ctx.control(id);
  if (!control) return undefined;
  const rest = (one: ApiResponse) => one.textSent.replaceAll(String(one.fieldSent(field)), "");
  const { run, target } = ctx;
  const taken = [control, ...run.responsesTo(id)].find(
    (one) =>
      one.kind === "done" &&
      one.isSentWith(target.secretKey) &&
      !run.namesSingle(one.textSent) &&
      rest(one) === rest(control),
  );
  return taken?.fieldSent(field);
}
