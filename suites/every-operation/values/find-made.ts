import {
  type ApiResponse,
  type CheckContext,
  ifDecided,
  listOf,
  type SendOptions,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import {
  contract,
  documentedMembers,
  fillerOf,
  type OperationId,
  operations,
} from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { recordsWith } from "./shown-values.ts";

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
    if (response.kind === "crashed") undecided(response.outcome, `${read}/accepted`);
    return { response, isShown: response.kind !== "done" };
  }
  const window = list.paged ? await listOf(ctx, read).window() : {};
  const { response, items } = await listOf(ctx, read).page({ ...window, [field]: value }, options);
  const isNamed = JSON.stringify(items).toLowerCase().includes(JSON.stringify(value).toLowerCase());
  // A list that does not filter shows others as well; only the fields of a transfer need not name its reference.
  return { response, isShown: list.paged ? items.length > 0 : isNamed };
}

/** Whether a response of the operation, or a list, has room for what was sent. */
export function showsRecords(id: OperationId): boolean {
  const { success }: Operation = contract[id];
  return success.has !== undefined || documentedMembers(contract[id]).length > 1;
}

/** A record in a response that shows it. */
export interface Shown {
  readonly list: ApiResponse;
  readonly record: Readonly<Record<string, unknown>>;
}

/** The records of a list that carry the reference of an accepted request; it is asked for if no list has shown it. */
export async function listedRecords(ctx: CheckContext, response: ApiResponse): Promise<Shown[]> {
  const place = placeOf(ctx, response);
  if (!place) return [];
  const recorded = recordedRecords(ctx, response);
  if (recorded.length > 0) return recorded;
  const query = { ...place.ordinary.query, [place.search]: place.reference };
  return recordsIn([await ctx.send(place.id, { query })], place.reference);
}

/** As {@link listedRecords}, as far as the lists of the run have shown them. */
export function recordedRecords(ctx: CheckContext, response: ApiResponse): Shown[] {
  const place = placeOf(ctx, response);
  return place ? recordsIn(ctx.run.responsesTo(place.id), place.reference) : [];
}

function placeOf({ run }: CheckContext, response: ApiResponse) {
  const reference = run.builder.referenceIn(response.textSent);
  const filled = listFilledBy(response.operationId);
  if (!filled?.list || reference === undefined) return undefined;
  return { id: filled.id, ordinary: filled.ordinary, reference, search: filled.list.search };
}

/** The list that shows what an operation makes. */
export const listFilledBy = (id: OperationId) =>
  operations.find((read) => read.list && fillerOf(read.id) === id);

const recordsIn = (responses: readonly ApiResponse[], reference: string): Shown[] =>
  responses
    .filter(({ kind }) => kind === "done")
    .flatMap((list) => recordsWith(list.json, reference).map((record) => ({ list, record })));

/**
 * Whether a list finds a record by its reference, and nothing else by it, or another read says that its link is taken; nothing
 * if the read rejects the reference, or if none shows such records.
 */
export async function foundByReference(ctx: CheckContext, response: ApiResponse) {
  const place = placeOf(ctx, response);
  const reference = ctx.run.builder.referenceIn(response.textSent);
  const { foundBy }: Operation = response.operation;
  if (!place && foundBy && reference !== undefined) {
    const find = (form: string) => ifDecided(findMade(ctx, response.operationId, form));
    const made = await find(reference);
    // Another check judges the letter case of a link.
    const found = made?.isShown === false ? await find(reference.toLowerCase()) : made;
    return found && { some: found.isShown, only: true };
  }
  if (!place) return undefined;
  const page = await ifDecided(listOf(ctx, place.id).widest({ [place.search]: place.reference }));
  const own = page?.items.map((item) => recordsWith(item, place.reference).length > 0);
  return own && { some: own.includes(true), only: own.every(Boolean) };
}

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
