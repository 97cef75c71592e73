import type { ApiResponse, CheckContext } from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import type { OperationId } from "../../../schemas/contract.ts";

/** As many kinds as a check looks up. */
const MOST_KINDS = 10;

/**
 * The first record of each kind that the run made with its own key under a usual link or code: requests with the same fields
 * are of one kind, which a service may store in one way. Where a form cannot be read, it may be made without any field.
 */
export function oneOfEachKind(
  ctx: CheckContext,
  id: OperationId,
  isMeant: (response: ApiResponse) => boolean = () => true,
): ApiResponse[] {
  const isUsual = (response: ApiResponse) => {
    const value = response.fieldSent(response.operation.takes?.field ?? "");
    return typeof value === "string" && ctx.run.builder.isInUsualForm(value);
  };
  const made = ctx.run
    .responsesTo(id)
    .filter((one) => one.kind === "done" && one.isSentWith(ctx.target.secretKey) && ctx.couldRead(one));
  const meant = made.filter((one) => isUsual(one) && isMeant(one));
  const kinds = [...groupBy(meant, fieldsOf).values()];
  return kinds.flatMap(([first]) => first ?? []).slice(0, MOST_KINDS);
}

function fieldsOf(response: ApiResponse): string {
  const parts = [...response.textSent.matchAll(/form-data; name="([^"]+)"/g)].map(([, name]) => name);
  return [...new Set([...parts, ...Object.keys(response.bodySent)])].toSorted().join();
}
