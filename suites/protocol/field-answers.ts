import { sendDefectOnce } from "../../fixtures/judge/expect-rejected.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import type { OperationId } from "../../schemas/contract.ts";
import type { Defect, Operation } from "../../schemas/operation.ts";
import { rejectedRequests } from "../../schemas/probes.ts";

/** The answer to a request with one defect, sent once per run, after the accepted control. */
export async function answerToDefect(ctx: CheckContext, id: OperationId, defect: Defect) {
  await controlOf(ctx, id);
  return sendDefectOnce(ctx, id, defect);
}

/** Invalid requests that show how an operation rejects: bound conditions, if all others are among them. */
export function invalidRequests(operation: Operation): readonly Defect[] {
  const rejected = rejectedRequests(operation);
  return rejected.length > 0 ? rejected : operation.bound;
}
