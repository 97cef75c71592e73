import { IN_CHUNKS } from "../../../fixtures/engine/http/ways.ts";
import { mismatch } from "../../../fixtures/engine/http/wording.ts";
import { isUnknownPath } from "../../../fixtures/engine/judge/expect-accepted.ts";
import {
  type ApiResponse,
  type CheckContext,
  type CheckOptions,
  consentToLenience,
  demand,
  isObject,
} from "../../../fixtures/engine/vocabulary.ts";
import { isUndocumented, RejectedError, ValidationError } from "../../../schemas/bodies.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Defect, Operation } from "../../../schemas/operation.ts";
import { errorSchemas, neededVariables, rejectionTitle } from "../../../schemas/operation.ts";
import { type FieldProbe, isLenient } from "../../../schemas/probes.ts";

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
  if (kind === "nobody")
    return `refuses ${noun} when ${field} is 0, false or empty, which identifies nothing`;
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

/** Sends an invalid request whose body has no length before it. */
export const sendInChunks = (ctx: CheckContext, id: OperationId, { change }: Defect) =>
  ctx.sendInvalid(id, change, { ways: [IN_CHUNKS] });
