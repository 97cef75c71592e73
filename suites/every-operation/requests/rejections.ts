import { mismatch, rejectionMismatch } from "../../../fixtures/engine/http/wording.ts";
import { isUnknownPath } from "../../../fixtures/engine/judge/expect-accepted.ts";
import {
  type ApiResponse,
  type CheckContext,
  type CheckOptions,
  consentToLenience,
  demand,
  demandBody,
  demandRejected,
  isObject,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { isUndocumented, RejectedError, ValidationError } from "../../../schemas/bodies.ts";
import { rejectionTitle } from "../../../schemas/changes.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { TwoMistakes } from "../../../schemas/mistakes.ts";
import { errorSchemas, neededVariables, type Operation } from "../../../schemas/operation.ts";
import { type FieldProbe, isLenient } from "../../../schemas/probes.ts";
import { responseToDefect } from "../requests.ts";

/** How hard the handling of a wrong field is judged. */
export function optionsOf(id: OperationId, probe: FieldProbe): CheckOptions {
  const { level, requirements, defects } = probe;
  const consent = isLenient(probe) ? consentToLenience(id, defects.length) : {};
  if (level === "MUST") return { must: requirements };
  return level === "SHOULD" ? { should: requirements, ...consent } : { observe: "N18", ...consent };
}

/** What the check of a wrong field says. */
export function titleOf(noun: string, { field, kind, level, defects }: FieldProbe): string {
  if (level === "OBSERVE") return `handling of ${noun} when ${defects[0]?.what}`;
  const [first] = defects;
  if (first && defects.length === 1) return rejectionTitle(noun, first.what);
  if (kind === "nobody") return `refuses ${noun} when ${field} is 0, false or empty, and so names nothing`;
  return `refuses ${noun} when ${field} has the wrong type${kind === "type" ? "" : ", even one that could be converted"}`;
}

/** Sends the ordinary request if it needs no data, and otherwise an empty one. */
export async function sendLeast(ctx: CheckContext, id: OperationId) {
  const operation: Operation = contract[id];
  if (operation.body === undefined && neededVariables(operation).length === 0) {
    const { response } = await ctx.control(id);
    if (response) return response;
  }
  const body = operation.body ? {} : null;
  const draft = { ...ctx.run.builder.build(id), query: {}, body, stake: undefined };
  return ctx.sendInvalid(id, {}, { draft });
}

/** Whether there is no such method, or the response is that of an unknown path: some servers reject a parameter with 404. */
export const isAbsent = async (ctx: CheckContext, response: ApiResponse) =>
  response.status === 405 || response.status === 501
    ? !hasDocumentedErrorBody(response)
    : isUnknownPath(ctx, response);

/** Whether the body is one that the operation documents for some error; undocumented bodies prove nothing. */
function hasDocumentedErrorBody(response: ApiResponse): boolean {
  const documented = errorSchemas(response.operation).filter((schema) => !isUndocumented(schema));
  return documented.some((schema) => mismatch(schema, response) === undefined);
}

/** Records what the body of a 400 has. */
export function recordBodyOf400(response: ApiResponse, ctx: CheckContext) {
  if (response.status !== 400) return;
  const { jsonProblem, json } = response;
  demand(!jsonProblem, response, `${response.outcome}, where ${jsonProblem?.text}`, "a JSON body");
  const names = isObject(json) ? Object.keys(json).toSorted().join(", ") : "no object";
  const text = `a body of 400 has ${names}`;
  if (!ctx.observations.some((seen) => seen.text === text)) ctx.observe("G13", text);
}

/** The statuses that section 7 lists for invalid input. */
export function documentedRejections({ responses }: Operation): string[] {
  return Object.keys(responses).filter((code) => /^4\d\d$/.test(code) && code !== "401");
}

/** Whether section 7 gives the operation's rejections the word `error` (shapes A and B). */
export const hasErrorWord = ({ responses }: Operation): boolean =>
  Object.values(responses).some((schema) => schema === ValidationError || schema === RejectedError);

/** Demands that a request with two mistakes is refused as one with a single mistake is. */
export async function expectRefused(ctx: CheckContext, id: OperationId, pair: TwoMistakes) {
  const response = await responseToDefect(ctx, id, pair);
  await demandRejected(ctx, response, {
    what: pair.what,
    field: Object.keys(pair.first.change.body ?? {})[0],
  });
  if (!response.failure && response.statusClass !== 2) await expectShape(ctx, id, pair, response);
}

/** If a single mistake is rejected with a wrong body too, the two have the same cause. */
async function expectShape(
  ctx: CheckContext,
  id: OperationId,
  { first }: TwoMistakes,
  response: ApiResponse,
) {
  if (rejectionMismatch(response) === undefined) return;
  const single = await responseToDefect(ctx, id, first);
  if (!single.failure && single.statusClass !== 2 && rejectionMismatch(single) !== undefined)
    undecided(`${response.outcome} with the same wrong body as for one mistake`, `${id}/rejections/shape`);
  demandBody(response);
}
