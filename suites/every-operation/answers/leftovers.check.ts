import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  demand,
  isObject,
  skip,
} from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import { responsesOf } from "./recorded.ts";

const check = checksIn("late");

// A service that fills the same object for every response, member by member, leaves in it what was shown before. A correct
// response may have more members than another one to the same request, but not another operation's or merchant's records.
const reads = operations.filter(({ method }) => method === "GET");
for (const { id, noun } of reads) {
  const title = "shows no records that it returned for another operation or to another merchant";
  check(`${id}/answers/no-leftovers`, title, { critical: "OWASP API3" }, async (ctx) => {
    for (const other of reads) await ctx.control(other.id as OperationId);
    await responsesOf(ctx, id);
    // A key in another form is that of the same merchant, and the response to a HEAD request has no body.
    const all = ctx.run.allResponses.filter((one) => one.kind === "done" && ctx.couldRead(one));
    const own = all.filter(({ operation, json }) => operation.id === id && isObject(json));
    const repeated = [...groupBy(own, questionOf).values()].filter(({ length }) => length > 1);
    if (repeated.length === 0) skip(`no response repeats ${noun}`);
    for (const { response, without, name } of repeated.flatMap(addedMembers)) {
      const source = sourceOf(ctx, response, name, all);
      if (!source) continue;
      const whose = source.operation.id === id ? "to another merchant" : `for ${source.operation.noun}`;
      const actual = `shows ${name} as it returns it ${whose}, which another response to the same request does not have`;
      demand(false, response, actual, "only what was asked for", [without, source]);
    }
  });
}

const keyOf = (response: ApiResponse) => response.headersSent("authorization").join();

/** What a GET asks for, and for whom, and whether data is shown: without records it may be null, and then nothing stands beside them. */
const questionOf = (response: ApiResponse) =>
  `${keyOf(response)} ${response.request.path} ${isObject(response.field("data"))}`;

function shownIn({ json }: ApiResponse): Readonly<Record<string, unknown>> {
  if (!isObject(json)) return {};
  return { ...json, ...(isObject(json.data) ? json.data : {}) };
}

/** The members with a value that only some of the responses to one request have. */
function addedMembers(responses: readonly ApiResponse[]) {
  const members = responses.map((response) => ({
    response,
    names: new Set(Object.keys(shownIn(response))),
  }));
  return members.flatMap(({ response, names }) =>
    [...names].flatMap((name) => {
      const without = members.find((other) => !other.names.has(name))?.response;
      return without ? [{ response, without, name }] : [];
    }),
  );
}

/**
 * A response like the one that a member is left over from: to another question, all of whose responses have the member, with
 * the same records in it, or to another merchant with the same text. `undefined` if there is none.
 */
function sourceOf(ctx: CheckContext, response: ApiResponse, name: string, all: readonly ApiResponse[]) {
  const value = shownIn(response)[name];
  const isOfRecords = Array.isArray(value) && value.some(isObject);
  if (!isOfRecords && !(typeof value === "string" && identifies(ctx, value))) return undefined;
  const text = JSON.stringify(value);
  return all.find((other) => {
    const isOtherMerchant = keyOf(other) !== keyOf(response);
    if (!isOtherMerchant && (!isOfRecords || other.operation === response.operation)) return false;
    if (JSON.stringify(shownIn(other)[name]) !== text) return false;
    const alike = all.filter((one) => one.operation === other.operation && keyOf(one) === keyOf(other));
    return alike.every((one) => name in shownIn(one));
  });
}

/** Whether a text may name a person or a record: a long one with digits or an @, which is no date and not the operator's. */
const identifies = ({ target }: CheckContext, text: string) =>
  text.length >= 8 &&
  /[\d@]/.test(text) &&
  !/^\d{4}-\d\d/.test(text) &&
  !JSON.stringify(target.values).includes(text);
