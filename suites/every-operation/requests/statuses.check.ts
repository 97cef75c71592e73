import { z } from "zod";
import { isErrorWord, mismatch, rejectionMismatch } from "../../../fixtures/engine/http/wording.ts";
import { isUnknownPath } from "../../../fixtures/engine/judge/expect-accepted.ts";
import {
  type ApiResponse,
  type Basis,
  type CheckContext,
  checksIn,
  demand,
  demandBody,
  demandBound,
  demandDone,
  demandRejected,
  isObject,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { isUndocumented } from "../../../schemas/bodies.ts";
import { rejectionTitle } from "../../../schemas/changes.ts";
import { contract, type OperationId, operations, successSchema } from "../../../schemas/contract.ts";
import { type TwoMistakes, twoMistakes } from "../../../schemas/mistakes.ts";
import { errorSchemas, marksRequired, neededVariables, type Operation } from "../../../schemas/operation.ts";
import { rejectedRequests } from "../../../schemas/probes.ts";
import { invalidRequests, responsesToDefects, responseToDefect } from "../requests.ts";

const check = checksIn("probes");

// The ordinary request of each operation has the documented success. Transfers have a check of their own, which also
// looks for one that is carried out without being acknowledged.
for (const { id, noun, effect, requirements, recordedRejection, fieldProbes } of operations) {
  if (recordedRejection) continue;
  // Where no invalid request is documented, only the response to the operator's own one can be a rejection.
  const rejection = fieldProbes === "none" ? (requirements.rejection ?? []) : [];
  const options = { must: [...requirements.success, ...rejection], ...(effect === "money" && { pays: 1 }) };
  check(`${id}/accepted`, `accepts ${noun} and returns the documented success`, options, (ctx) =>
    demandDone(ctx, id),
  );
}

// Section 1: the operation exists. If an empty request could be valid, only the operation's success proves that.
for (const operation of operations) {
  if (operation.effect !== "read" && !marksRequired(operation)) continue;
  const title = `exists at ${operation.method} ${operation.route}`;
  check(`${operation.id}/exists`, title, { must: ["R001", "R114"] }, async (ctx) => {
    const response = await sendLeast(ctx, operation.id);
    if (response.status === undefined) undecided(response.outcome);
    const isMissing = await isAbsent(ctx, response);
    demand(!isMissing, response, response.outcome, "an operation at this path");
  });
}

/** Sends the ordinary request if it needs no data, and otherwise an empty one. */
async function sendLeast(ctx: CheckContext, id: OperationId) {
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
const isAbsent = async (ctx: CheckContext, response: ApiResponse) =>
  response.status === 405 || response.status === 501
    ? !hasDocumentedErrorBody(response)
    : isUnknownPath(ctx, response);

/** Whether the body is one that the operation documents for some error; undocumented bodies prove nothing. */
function hasDocumentedErrorBody(response: ApiResponse): boolean {
  const documented = errorSchemas(response.operation).filter((schema) => !isUndocumented(schema));
  return documented.some((schema) => mismatch(schema, response) === undefined);
}

// Section 4, common response shapes: the documented envelope in full, beyond what a success must have.
for (const operation of operations) {
  const { id } = operation;
  if (!hasEnvelope(operation)) continue;
  check(`${id}/envelope`, "returns the documented envelope in full", { should: ["R024"] }, async (ctx) => {
    const { response, accepted, notTested } = await ctx.control(id);
    if (!response) throw notTested;
    if (!accepted) undecided(`${response.outcome}: there is no envelope`, `${id}/accepted`);
    demandBody(response, successSchema(operation), "the documented envelope");
    const isError = isErrorWord(response.field("status"));
    demand(!isError, response, `${response.outcome} with status "error"`, "the status of a success");
  });
}

function hasEnvelope(operation: Operation): boolean {
  const schema = successSchema(operation);
  if (!(schema instanceof z.ZodObject)) return false;
  const { status, message, data } = schema.shape;
  return status instanceof z.ZodString && message !== undefined && data !== undefined;
}

const INVALID = "the request is invalid";

// How an operation rejects: the body and the status of every rejection that its invalid requests met.
for (const operation of operations) {
  const { id, requirements } = operation;
  const defects = invalidRequests(operation);
  if (defects.length === 0) continue;

  /** Registers a check of every response; a target that was always busy shows nothing. */
  const checkRejections = (
    name: string,
    title: string,
    basis: Basis,
    judge: (response: ApiResponse, ctx: CheckContext) => void,
  ) =>
    check(`${id}/rejections/${name}`, title, basis, async (ctx) => {
      const responses = await responsesToDefects(ctx, id, defects);
      const decided = responses.filter((response) => !response.isThrottled);
      for (const response of decided) judge(response, ctx);
      if (decided.length === 0)
        undecided("the target is busy", { advice: "set a lower RATE_LIMIT or repeat later" });
    });

  // The bodies of bound conditions are judged together with their status.
  if (requirements.rejection && rejectedRequests(operation).length > 0) {
    const must = requirements.rejection;
    checkRejections("shape", "rejects with the documented error body", { must }, (response) => {
      if (!response.failure && !response.looksAccepted) demandBody(response);
    });
  }
  const { errorInFull } = operation;
  if (errorInFull) {
    const title = "writes error and message of a rejection as text";
    checkRejections("shape-in-full", title, { should: ["R109"] }, (response) => {
      if (response.isDocumentedError) demandBody(response, errorInFull, "error shape C");
    });
  }
  if (isUndocumented(operation.responses[400])) {
    const title = "returns JSON with a 400, whose body is undocumented";
    checkRejections("json", title, { should: "G13" }, recordBodyOf400);
  }
  if (hasErrorWord(operation)) {
    const title = 'writes the status of a rejection as "error", in lower case';
    checkRejections("error-word", title, { should: ["R107"] }, (response) => {
      const word = response.field("status");
      const isOther = response.is4xx && isErrorWord(word) && word !== "error";
      demand(!isOther, response, `${response.outcome} with status ${JSON.stringify(word)}`, `"error"`);
    });
  }
  // If no status is documented for invalid input, any 4xx is as good: the list of section 7 is open.
  const documented = documentedRejections(operation);
  if (documented.some((code) => code === "400" || code === "422")) {
    const title = `rejects with a documented status (${documented.join(", ")})`;
    checkRejections("status", title, { should: "N39" }, (response) => {
      const isOther = response.is4xx && !((response.status ?? 0) in operation.responses);
      demand(!isOther, response, `${response.outcome} although ${INVALID}`, documented.join(" or "));
    });
  }
}

function recordBodyOf400(response: ApiResponse, ctx: CheckContext) {
  if (response.status !== 400) return;
  const { jsonProblem, json } = response;
  demand(!jsonProblem, response, `${response.outcome}, where ${jsonProblem?.text}`, "a JSON body");
  const names = isObject(json) ? Object.keys(json).toSorted().join(", ") : "no object";
  const text = `a body of 400 has ${names}`;
  if (!ctx.observations.some((seen) => seen.text === text)) ctx.observe("G13", text);
}

function documentedRejections({ responses }: Operation): string[] {
  return Object.keys(responses).filter((code) => /^4\d\d$/.test(code) && code !== "401");
}

/** Whether section 7 gives the operation's rejections the word `error` (shapes A and B). */
function hasErrorWord(operation: Operation): boolean {
  return Object.values(operation.responses).some(
    (schema) => schema instanceof z.ZodObject && schema.shape.status instanceof z.ZodLiteral,
  );
}

// Conditions that the specification ties to one status code and body: any other response is a violation.
for (const { id, noun, bound } of operations) {
  for (const condition of bound) {
    const title = `${rejectionTitle(noun, condition.what)} with ${condition.status}`;
    check(`${id}/${condition.id}`, title, { must: condition.requirements }, (ctx) =>
      demandBound(ctx, id, condition),
    );
  }
}

// A request with two mistakes is refused like a request with one: it is not carried out, and it gets the documented body.
for (const operation of operations) {
  const pair = twoMistakes(operation);
  if (!pair) continue;
  const { id, noun } = operation;
  const { level, what, bound } = pair;
  const rules = [...new Set([...pair.requirements, ...(operation.requirements.rejection ?? [])])];
  const options = level === "MUST" ? { must: rules } : { should: rules };
  check(`${id}/rejections/two-mistakes`, rejectionTitle(noun, what), options, async (ctx) => {
    await ctx.control(id);
    if (bound) await demandBound(ctx, id, { ...pair, ...bound });
    else await expectRefused(ctx, id, pair);
  });
}

async function expectRefused(ctx: CheckContext, id: OperationId, pair: TwoMistakes) {
  const response = await responseToDefect(ctx, id, pair);
  await demandRejected(ctx, response, {
    what: pair.what,
    field: Object.keys(pair.first.change.body ?? {})[0],
  });
  if (!response.failure && !response.looksAccepted) await expectShape(ctx, id, pair, response);
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
  if (!single.failure && !single.looksAccepted && rejectionMismatch(single) !== undefined)
    undecided(`${response.outcome} with the same wrong body as for one mistake`, `${id}/rejections/shape`);
  demandBody(response);
}
