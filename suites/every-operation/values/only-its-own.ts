import { z } from "zod";
import { acceptedRows, isField, valuesIn } from "../../../fixtures/engine/judge/rows.ts";
import type { Varied } from "../../../fixtures/engine/run/run.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  isObject,
} from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import { contract, documentedMembers, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { kindOf, membersOf } from "../../../schemas/recipe.ts";
import { listedRecords, recordedRecords, type Shown } from "./find-made.ts";
import { agrees, fieldsSent, membersNamed } from "./shown-values.ts";

/** How many requests without a value follow one with it: a service may have an object for each of its threads. */
export const FOLLOWING = 3;
/** After this many records without a value that an earlier request had, further requests would hardly show more. */
export const ENOUGH = 12;

const ALONE = { alone: true, retry: false, mayBeBusy: true } as const;

/** Sends a request with unusual values, then some with as few fields as the API accepts; no other comes between them. */
export async function sendWithAndWithout(ctx: CheckContext, id: OperationId) {
  const { ordinary, fresh, effect, takes }: Operation = contract[id];
  const { response: control } = await ctx.control(id);
  const isUnusual = unusualIn(ctx);
  const countOf = ({ row }: Varied) =>
    inventedFields(id).filter((name) => isUnusual(name, valuesIn(row)[name])).length;
  const [varied] = acceptedRows(ctx, id).toSorted((a, b) => countOf(b) - countOf(a));
  const invented = Object.entries(membersOf(ordinary.body)).filter(
    ([name, value]) => inventedFields(id).includes(name) && kindOf(value, fresh) !== undefined,
  );
  const without: ApiResponse[] = [];
  await ctx.run.client.alone(async () => {
    let body = Object.fromEntries(invented.map(([name]) => [name, undefined]));
    const send = (values: object) => ctx.send(id, { body: { ...values } }, ALONE);
    const values = valuesIn(varied?.row ?? []);
    await send(values);
    // A request that is rejected because its code or link is taken may leave its values, too.
    const taken = effect === "create" && takes && { [takes.field]: control?.bodySent[takes.field] };
    if (taken) await ctx.sendInvalid(id, { body: { ...values, ...taken } }, ALONE);
    for (let n = 0; n < FOLLOWING; n += 1) {
      const response = await send(body);
      without.push(response);
      if (response.kind !== "done") body = {};
    }
  });
  for (const response of without) if (response.kind === "done") await listedRecords(ctx, response);
}

/** An accepted request, and the records that show what it made: in its own response and in lists. */
interface Made {
  readonly response: ApiResponse;
  readonly shown: readonly Shown[];
}

/**
 * Demands that no record shows, in a field that its request left out, an unusual value that another request had there.
 * Returns how many records could have shown one, and `undefined` if none shows such a field at all.
 */
export function expectOnlyItsOwn(ctx: CheckContext, id: OperationId): number | undefined {
  const made = madeOnce(ctx, id);
  const isUnusual = unusualIn(ctx);
  const compared = new Set<ApiResponse>();
  let isShown = false;
  for (const field of inventedFields(id)) {
    const places = placesOf(made, field);
    const without = made
      .filter(({ response }) => isLeftOut(response, field))
      .map((one) => ({ ...one, shown: one.shown.filter(({ list }) => places.has(list.operation)) }));
    const sources = places.size === 0 ? [] : sourcesOf(ctx, field, isUnusual);
    const first = sources.find(({ response }) => response.operationId === id)?.response.startedAt;
    for (const one of without) {
      expectNotFrom(sources, field, one, without);
      if (one.shown.length > 0 && first && first < one.response.startedAt) compared.add(one.response);
    }
    isShown ||= places.size > 0;
  }
  return isShown ? compared.size : undefined;
}

function expectNotFrom(sources: readonly Source[], field: string, one: Made, without: readonly Made[]) {
  for (const { list, record } of one.shown) {
    for (const { value } of membersNamed(record, field)) {
      const source = sources.find((other) => isFrom(other, value, one.response));
      if (!source || !isOnlyHere(without, one, list, field, source.value)) continue;
      const actual = `shows ${field} as ${JSON.stringify(value)} for a request without ${field}, as another request had it`;
      demand(false, list, actual, `no ${field} of another request`, [source.response, one.response]);
    }
  }
}

const placesOf = (made: readonly Made[], field: string) =>
  new Set(
    made.flatMap(({ response, shown }) => {
      const sent = fieldsSent(response)[field];
      const places = sent === "" ? [] : shown.filter(({ record }) => hasMember(record, field, sent));
      return places.map(({ list }) => list.operation);
    }),
  );

const hasMember = (record: unknown, field: string, sent: unknown) =>
  membersNamed(record, field).some(({ value }) => agrees(sent, value));

/**
 * The fields that a request may leave out and that the suite fills with what it made up. A service may know from elsewhere
 * what the operator gave, and a customer's address.
 */
export function inventedFields(id: OperationId): string[] {
  const { body, free = {} }: Operation = contract[id];
  return Object.entries(free).flatMap(([name, kind]) =>
    body?.shape[name] instanceof z.ZodOptional && typeof kind === "string" && !/address|fresh/.test(kind)
      ? [name]
      : [],
  );
}

/** The accepted requests of the run that share neither their reference nor their identifier with another write. */
function madeOnce(ctx: CheckContext, id: OperationId): Made[] {
  const responses = ctx.run.responsesTo(id);
  const writes = ctx.run.allResponses.filter(({ operation }) => operation.effect !== "read");
  const references = groupBy(writes, ({ textSent }) => ctx.run.builder.referenceIn(textSent));
  const identifiers = groupBy(responses, (response) => identifierOf(response));
  const isOnce = <K>(groups: ReadonlyMap<K, readonly unknown[]>, key: K) =>
    key === undefined || groups.get(key)?.length === 1;
  return responses.flatMap((response) => {
    const reference = ctx.run.builder.referenceIn(response.textSent);
    if (response.kind !== "done" || !ctx.couldRead(response)) return [];
    if (!isOnce(references, reference) || !isOnce(identifiers, identifierOf(response))) return [];
    const own = { list: response, record: undocumented(response) };
    return [{ response, shown: [own, ...recordedRecords(ctx, response)] }];
  });
}

const identifierOf = (response: ApiResponse) => response.written(response.operation.success.has ?? "");

/** The members of a response without the documented ones that have a meaning of their own, such as its message. */
function undocumented({ operation, json }: ApiResponse) {
  const documented = documentedMembers(operation);
  const members = Object.entries(isObject(json) ? json : {});
  return Object.fromEntries(members.filter(([name, value]) => isObject(value) || !documented.includes(name)));
}

const isLeftOut = (response: ApiResponse, field: string) =>
  [undefined, null, ""].includes(fieldsSent(response)[field] as undefined);

interface Source {
  readonly response: ApiResponse;
  readonly value: unknown;
}

const sourcesOf = (ctx: CheckContext, field: string, isUnusual: ReturnType<typeof unusualIn>): Source[] =>
  ctx.run.allResponses.flatMap((response) => {
    const value = response.textSent.includes(field) ? fieldsSent(response)[field] : undefined;
    return isUnusual(field, value) ? [{ response, value }] : [];
  });

/** Whether what is shown is the value of another request, which is nowhere in the request itself. */
function isFrom({ value }: Source, shown: unknown, response: ApiResponse): boolean {
  const isSame = typeof value === "number" ? agrees(value, shown) : value === shown;
  if (!isSame) return false;
  const own = [response.textSent, ...Object.values(fieldsSent(response)).map(String)];
  return !own.some((text) => text.includes(String(value)));
}

/** Tells a value that only the suite can have chosen: a service may compute a small or a round number. */
function unusualIn({ run }: CheckContext): (field: string, value: unknown) => boolean {
  const chosen = groupBy(run.varied.flatMap(({ row }) => row).filter(isField), ({ field }) => field);
  const isRare = (value: unknown) =>
    typeof value === "number"
      ? !Number.isInteger(value) || (value > 100 && value % 10 !== 0)
      : typeof value === "string" && value.length >= LEAST_LETTERS;
  return (field, value) =>
    (typeof value === "string" && value.includes(run.builder.runId)) ||
    (isRare(value) && chosen.get(field)?.some((choice) => choice.value === value) === true);
}

/** A shorter text may be the same by chance. */
const LEAST_LETTERS = 8;

/** Whether a value is not what the API fills in anyway: for a number, a request like this one was shown with another value. */
function isOnlyHere(without: readonly Made[], one: Made, list: ApiResponse, field: string, value: unknown) {
  if (typeof value !== "number") return true;
  const alike = without.filter((other) => other !== one && likeness(other) === likeness(one));
  const places = alike.flatMap(({ shown }) =>
    shown.filter((place) => place.list.operation === list.operation),
  );
  return places.some(({ record }) => !hasMember(record, field, value));
}

/** What two requests have in common that differ only in what is new in every request, or in optional texts. */
function likeness({ response }: Made): string {
  const { ordinary, fresh }: Operation = response.operation;
  const members = membersOf(ordinary.body);
  const fixed = Object.entries(fieldsSent(response)).filter(
    ([name]) => kindOf(members[name], fresh) === undefined,
  );
  return JSON.stringify([
    response.headersSent("authorization"),
    fixed.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
