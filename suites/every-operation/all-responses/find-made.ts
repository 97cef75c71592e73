import { Inconclusive } from "../../../fixtures/engine/http/findings.ts";
import { expectAnswered } from "../../../fixtures/engine/judge/matchers.ts";
import { firstWindow, readPage } from "../../../fixtures/engine/lists/list.ts";
import type { CheckContext, SendOptions } from "../../../fixtures/engine/run/check-context.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";

/**
 * Asks for the record that an operation makes from this reference, link or code, and says whether the response shows that
 * it exists. Throws `Inconclusive` if the response shows nothing.
 */
export async function findMade(ctx: CheckContext, id: OperationId, value: string, options?: SendOptions) {
  const { foundBy }: Operation = contract[id];
  if (!foundBy) throw new Error(`${id} declares no read that finds what it makes`);
  const { field } = foundBy;
  const read = foundBy.read as OperationId;
  const { list }: Operation = contract[read];
  if (!list) {
    const response = await ctx.send(read, { body: { [field]: value } }, options);
    expectAnswered(response);
    if (response.isCrash) throw new Inconclusive(response.outcome, `${read}/accepted`);
    return { response, isShown: !response.isSuccess };
  }
  const window = list.paged ? await firstWindow(ctx, read) : {};
  const { response, items } = await readPage(ctx, read, { ...window, [field]: value }, options);
  const isNamed = JSON.stringify(items).toLowerCase().includes(JSON.stringify(value).toLowerCase());
  // A list that does not filter shows others as well; only the fields of a transfer need not name its reference.
  return { response, isShown: list.paged ? items.length > 0 : isNamed };
}
